//! Cranes and the time they need.

use crate::vessel::Vessel;

const MOVES_PER_HOUR: u32 = 24;

/// Minutes to clear the deck with a number of cranes; at least one works.
pub fn minutes_to_unload(vessel: &Vessel, cranes: u32) -> u32 {
    vessel.containers * 60 / (MOVES_PER_HOUR * cranes.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cranes_halve_the_time() {
        let feeder = Vessel::new("Feeder", 700, 14_000).with_containers(48);
        assert_eq!(minutes_to_unload(&feeder, 1), 120);
        assert_eq!(minutes_to_unload(&feeder, 2), 60);
    }
}
