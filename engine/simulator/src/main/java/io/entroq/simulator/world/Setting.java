package io.entroq.simulator.world;

import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;

/** What the parts of one world have in common. */
final class Setting {
  final WorldConfig config;
  final Agenda agenda = new Agenda();
  final Chance chance;
  final Faults faults;
  final Trace trace = new Trace();

  Setting(WorldConfig config) {
    this.config = config;
    this.chance = new Chance(config.seed());
    this.faults = new Faults(config.faults());
  }
}
