//! The dredged channel from the sea to the quays.

use crate::vessel::Vessel;

pub const WIDTH: i32 = 9_000;

/// Water left on either side of two ships that meet in the channel.
pub fn clearance(inbound: &Vessel, outbound: &Vessel) -> i32 {
    (WIDTH - beam(inbound) - beam(outbound)) / 3
}

/// A seventh of the length, as the harbour master's rule of thumb has it.
fn beam(vessel: &Vessel) -> i32 {
    vessel.length / 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_small_ships_pass_easily() {
        let gannet = Vessel::new("Gannet", 400, 7_000);
        assert_eq!(clearance(&gannet, &gannet), 2_333);
    }
}
