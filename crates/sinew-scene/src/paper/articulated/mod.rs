//! Soft characters with bones [li2020].

mod rigid_reference;
