package io.entroq.engine.upkeep;

/** Gives each desk a thread of its own. */
final class ThreadedUpkeep implements UpkeepRunner {
  @Override
  public AutoCloseable run(UpkeepDesk desk) {
    return new UpkeepThread(desk).start();
  }

  @Override
  public boolean isBesideCommands() {
    return true;
  }
}
