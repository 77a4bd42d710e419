//! Where the nodes of a glTF file are: local transforms, and those of parents applied.
//!
//! A node's children are in its frame: W(child) = W(node) · T·R·S(child). A skinned vertex ignores the node of its mesh:
//! x = Σ wⱼ W(jointⱼ) B⁻¹ⱼ x̄ with the weights w and the inverse bind matrices B⁻¹.

use super::asset::Asset;
use super::document::Node;
use crate::mesh_io::error::MeshError;
use glam::{DMat4, DQuat, DVec3};

/// The local transform of a node, in parts where they are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Local {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    /// Instead of the parts.
    pub matrix: Option<DMat4>,
}

impl Local {
    pub fn of(node: &Node) -> Self {
        Self {
            translation: node.translation.map_or(DVec3::ZERO, DVec3::from),
            rotation: node.rotation.map_or(DQuat::IDENTITY, DQuat::from_array).normalize(),
            scale: node.scale.map_or(DVec3::ONE, DVec3::from),
            matrix: node.matrix.map(|m| DMat4::from_cols_array(&m)),
        }
    }

    pub fn matrix(&self) -> DMat4 {
        let Self { translation, rotation, scale, matrix } = *self;
        matrix.unwrap_or_else(|| DMat4::from_scale_rotation_translation(scale, rotation, translation))
    }
}

/// The tree of nodes: parents before children.
pub(crate) struct Tree {
    /// Nodes of the scene in an order in which parents come first, each with its parent.
    pub order: Vec<(usize, Option<usize>)>,
}

impl Tree {
    pub fn of(asset: &Asset) -> Result<Self, MeshError> {
        let nodes = &asset.document.nodes;
        let mut is_child = vec![false; nodes.len()];
        for child in nodes.iter().flat_map(|node| &node.children) {
            match is_child.get_mut(*child) {
                None => return Err(asset.refuse(format!("node {child} does not exist"))),
                Some(seen) if *seen => return Err(asset.refuse(format!("node {child} has two parents"))),
                Some(seen) => *seen = true,
            }
        }
        let document = &asset.document;
        let scene = document.scenes.get(document.scene.unwrap_or(0));
        // Every node has one parent at most, so a walk from nodes without one is over a forest, and ends.
        let roots: Vec<usize> = match scene {
            Some(scene) => scene.nodes.clone(),
            None => (0..nodes.len()).filter(|&node| !is_child[node]).collect(),
        };
        if let Some(bad) = roots.iter().find(|&&root| is_child.get(root) != Some(&false)) {
            return Err(
                asset.refuse(format!("node {bad} of the scene does not exist, or is a child of another"))
            );
        }
        let mut order: Vec<(usize, Option<usize>)> = Vec::new();
        let mut waiting: Vec<(usize, Option<usize>)> =
            roots.into_iter().rev().map(|root| (root, None)).collect();
        while let Some((node, parent)) = waiting.pop() {
            order.push((node, parent));
            if order.len() > nodes.len() {
                return Err(asset.refuse("the scene names a node twice"));
            }
            waiting.extend(nodes[node].children.iter().rev().map(|&child| (child, Some(node))));
        }
        Ok(Self { order })
    }

    /// World matrices of all nodes; nodes outside the scene keep the identity.
    pub fn world(&self, locals: &[Local]) -> Vec<DMat4> {
        let mut world = vec![DMat4::IDENTITY; locals.len()];
        for &(node, parent) in &self.order {
            let own = locals[node].matrix();
            world[node] = parent.map_or(own, |parent| world[parent] * own);
        }
        world
    }
}

/// The joints of a skin, and their inverse bind matrices.
pub(crate) struct Binding {
    pub joints: Vec<usize>,
    pub inverse_bind: Vec<DMat4>,
}

impl Binding {
    pub fn of(asset: &Asset, skin: usize) -> Result<Self, MeshError> {
        let refuse = |what: &str| asset.refuse(format!("skin {skin} {what}"));
        let Some(given) = asset.document.skins.get(skin) else { return Err(refuse("does not exist")) };
        if given.joints.iter().any(|&joint| joint >= asset.document.nodes.len()) {
            return Err(refuse("has a joint that does not exist"));
        }
        let inverse_bind = match given.inverse_bind_matrices {
            None => vec![DMat4::IDENTITY; given.joints.len()],
            Some(accessor) => {
                let numbers = asset.reals(accessor, 16)?;
                numbers.as_chunks::<16>().0.iter().map(DMat4::from_cols_array).collect()
            }
        };
        if inverse_bind.len() < given.joints.len() {
            return Err(refuse("has fewer inverse bind matrices than joints"));
        }
        Ok(Self { joints: given.joints.clone(), inverse_bind })
    }

    /// From bind pose to the pose of `world`, for each joint.
    pub fn matrices(&self, world: &[DMat4]) -> Vec<DMat4> {
        self.joints.iter().zip(&self.inverse_bind).map(|(&joint, bind)| world[joint] * *bind).collect()
    }
}

/// The joints of a skin that move a vertex, and their weights, which sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    pub joints: [usize; 4],
    pub weights: [f64; 4],
}

impl Weights {
    /// The place of a vertex, given what each joint does.
    pub fn place(&self, matrices: &[DMat4], point: DVec3) -> DVec3 {
        let parts = self.joints.iter().zip(&self.weights).filter(|(_, w)| **w != 0.0);
        parts.map(|(&joint, &w)| matrices[joint].transform_point3(point) * w).sum()
    }
}
