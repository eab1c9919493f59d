package io.entroq.simulator.random;

import io.entroq.engine.state.StateMachineConfig;

/** Capacities that nobody may notice: from far too small to ordinary. */
final class Shapes {
  private static final StateMachineConfig[] SHAPES = {
    StateMachineConfig.DEFAULT,
    new StateMachineConfig(1, 1, 1),
    new StateMachineConfig(3, 2, 4),
    new StateMachineConfig(7, 5, 2),
  };

  static final int COUNT = SHAPES.length;

  private Shapes() {}

  static StateMachineConfig of(int shape) {
    return SHAPES[shape % COUNT];
  }
}
