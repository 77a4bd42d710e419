//! A state as bytes and as a hash: every number in one fixed order.

use super::{History, RowMemory, State, StateError};
use crate::carry::Drive;
use crate::model::Model;
use crate::slow_motion::SlowMotion;
use glam::DVec3;

impl State {
    /// A hash of every bit of the state: equal hashes mean equal simulations.
    pub fn hash(&self) -> u64 {
        // FNV-1a over the bytes, eight at a time mixed by a multiply.
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        self.visit(&mut |word| {
            hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
            hash ^= hash >> 29;
        });
        hash
    }

    /// The whole state as bytes, little-endian. A simulation that is restored from them continues with identical bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.visit(&mut |word| bytes.extend_from_slice(&word.to_le_bytes()));
        bytes
    }

    /// Restores a state from the bytes of [`State::to_bytes`], for the same model.
    pub fn from_bytes(model: &Model, bytes: &[u8]) -> Result<Self, StateError> {
        let mut words = bytes.chunks_exact(8).map(|c| {
            let mut word = [0; 8];
            word.copy_from_slice(c);
            u64::from_le_bytes(word)
        });
        let mut state = Self::new(model);
        // The number of contacts comes first: without it the size is not known.
        let pressing = words.clone().next().unwrap_or_default();
        let fits = usize::try_from(pressing).is_ok_and(|count| count <= bytes.len() / 8);
        state.contact.resize(if fits { pressing as usize } else { 0 }, RowMemory::NEW);
        let expected = state.words();
        if bytes.len() != 8 * expected {
            return Err(StateError::Encoding("its size does not fit the model"));
        }
        state.visit_mut(&mut |word| *word = words.next().unwrap_or_default());
        let mut finite = true;
        state.floats(&mut |value| finite &= value.is_finite());
        if !finite {
            return Err(StateError::Encoding("it holds numbers that are not finite"));
        }
        let mut indices = state.last_controls.indices_mut().chain(state.controls.indices_mut());
        if indices.any(|i| *i as usize >= model.points()) {
            return Err(StateError::Encoding("it names a vertex that does not exist"));
        }
        drop(indices);
        Ok(state)
    }

    fn words(&self) -> usize {
        let mut n = 0;
        self.visit(&mut |_| n += 1);
        n
    }

    /// Every number of the state in a fixed order.
    fn visit(&self, word: &mut dyn FnMut(u64)) {
        // There is one list of all numbers, for writing; for reading, it is applied to a copy.
        self.clone().visit_mut(&mut |w| word(*w));
    }

    /// As [`State::visit`], for writing; the order is the same.
    fn visit_mut(&mut self, word: &mut dyn FnMut(&mut u64)) {
        let mut pressing = self.contact.len() as u64;
        word(&mut pressing);
        word(&mut self.steps);
        let mut tangled = u64::from(self.tangled);
        word(&mut tangled);
        self.tangled = tangled != 0;
        let mut accelerated = u64::from(self.history.accelerated);
        word(&mut accelerated);
        self.history.accelerated = accelerated != 0;
        for memory in &mut self.contact {
            let mut bits = memory.word();
            word(&mut bits);
            memory.set_word(bits);
        }
        for controls in [&mut self.last_controls, &mut self.controls] {
            for index in controls.indices_mut() {
                let mut bits = u64::from(*index);
                word(&mut bits);
                *index = bits as u32;
            }
        }
        self.floats(&mut |value| {
            let mut bits = value.to_bits();
            word(&mut bits);
            *value = f64::from_bits(bits);
        });
    }

    /// Every floating-point number.
    fn floats(&mut self, float: &mut dyn FnMut(&mut f64)) {
        let ledger = &mut self.ledger;
        let scalars = [&mut self.time, &mut self.history.h, &mut ledger.initial];
        scalars.into_iter().for_each(&mut *float);
        ledger.entries.amounts_mut().iter_mut().chain([&mut ledger.kinetic]).for_each(&mut *float);
        let lists = ledger.potentials.iter_mut().chain(&mut ledger.component_targets);
        lists.chain(&mut self.approach).for_each(&mut *float);
        self.slow.iter_mut().flat_map(SlowMotion::floats_mut).for_each(&mut *float);
        self.drives.iter_mut().flat_map(Drive::floats_mut).for_each(&mut *float);
        let mut vector = |p: &mut DVec3| p.as_mut().iter_mut().for_each(&mut *float);
        let History { x, v, a, .. } = &mut self.history;
        for list in [&mut self.x, &mut self.v, x, v, a] {
            list.iter_mut().for_each(&mut vector);
        }
        for controls in [&mut self.last_controls, &mut self.controls] {
            controls.vectors_mut().for_each(&mut vector);
        }
        for controls in [&mut self.last_controls, &mut self.controls] {
            controls.scalars_mut(float);
        }
        for memory in &mut self.contact {
            memory.floats_mut().into_iter().for_each(&mut *float);
        }
    }
}
