//! The module `sinew._sinew` of the Python package; `python/sinew` is the package around it, `_sinew.pyi` describes it.
//!
//! ```text
//! scene      a scene file, its values, its model
//! parts      bodies, colliders, bones and joints made of arrays
//! model      what does not change: shared by states, simulators, batches and runs
//! state      what changes; views of its arrays
//! simulator  steps
//! batch      steps of many states at once
//! run        a run with its records
//! sweep      parts of sweeps, for the driver on a cluster
//! pool       threads; arrays, errors: between Python and the engine
//! ```
//!
//! A step works without the interpreter. Every object may be used by every thread; two threads that step the same one at
//! the same time get a `BusyError`, never a wrong number and never a deadlock.
#![deny(unsafe_code)]

mod arrays;
mod batch;
mod errors;
mod model;
mod parts;
mod pool;
mod run;
mod scene;
mod simulator;
mod state;
mod sweep;
mod values;

use pyo3::prelude::*;

#[pymodule]
fn _sinew(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<parts::Body>()?;
    module.add_class::<parts::Bone>()?;
    module.add_class::<parts::Collider>()?;
    module.add_class::<parts::Joint>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<state::State>()?;
    module.add_class::<state::Memory>()?;
    module.add_class::<simulator::Simulator>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<sweep::SweepPlan>()?;
    module.add_function(wrap_pyfunction!(scene::scene_names, module)?)?;
    Ok(())
}
