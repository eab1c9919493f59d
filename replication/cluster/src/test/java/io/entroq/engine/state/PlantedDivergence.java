package io.entroq.engine.state;

/** Makes a state go another way than its copies. */
public final class PlantedDivergence {
  private PlantedDivergence() {}

  /** From the next choice on it chooses otherwise; until then nothing can be seen of it. */
  public static void plant(StateMachine machine) {
    machine.stores.random.seed(machine.stores.random.state() + 1);
  }
}
