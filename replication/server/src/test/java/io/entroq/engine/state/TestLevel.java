package io.entroq.engine.state;

/** Makes {@link Levels#TEST} supported until it is closed, to test how levels are raised. */
public final class TestLevel implements AutoCloseable {
  /** The level: one above the newest. */
  public static final int LEVEL = Levels.TEST;

  private TestLevel() {}

  /** The build supports the level from now on. */
  public static TestLevel support() {
    Levels.supportTestLevel(true);
    return new TestLevel();
  }

  @Override
  public void close() {
    Levels.supportTestLevel(false);
  }
}
