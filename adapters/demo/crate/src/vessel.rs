//! Ships, as far as a harbour cares.

/// A ship that wants to come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vessel {
    pub name: String,
    /// Depth of the keel below the waterline.
    pub draught: i32,
    pub length: i32,
    /// Containers on deck, for the cranes.
    pub containers: u32,
}

impl Vessel {
    /// A ship without deck cargo.
    pub fn new(name: &str, draught: i32, length: i32) -> Self {
        Vessel {
            name: name.to_string(),
            draught,
            length,
            containers: 0,
        }
    }

    pub fn with_containers(mut self, containers: u32) -> Self {
        self.containers = containers;
        self
    }
}
