package io.entroq.simulator.world;

import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import io.entroq.simulator.virtual.Trace;

/** The shared parts of one world. */
final class WorldContext {
  final WorldConfig config;
  final EventQueue events = new EventQueue();
  final SeededRandom random;
  final Faults faults;
  final Trace trace = new Trace();

  WorldContext(WorldConfig config) {
    this.config = config;
    this.random = new SeededRandom(config.seed());
    this.faults = new Faults(config.faults());
  }
}
