package io.entroq.engine.embedded;

import io.entroq.api.EntroQException;
import io.entroq.engine.Closing;
import io.entroq.engine.call.LevelRequest;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.local.LocalEntroQ;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * A task queue in this process: an engine with a thread of its own, and its log in a directory.
 *
 * <pre>{@code
 * try (EntroQ queue = EmbeddedEntroQ.open(Path.of("data"))) {
 *   queue.modify(Modification.insert("inbox", "hello")).orThrow();
 * }
 * }</pre>
 *
 * <p>One engine at a time may have a directory. Calls may come from any thread; past the bounds of
 * the {@link EmbeddedConfig} they wait for room, also the forms that return futures, and are then
 * refused with {@link EntroQException.ResourceExhausted}.
 *
 * <p>Futures complete on one thread of the engine's that does nothing else. What is chained to them
 * without an executor holds up other futures while it runs, and nothing besides. A request made on
 * that thread is refused at once where others wait for room.
 *
 * <p>If the log fails the engine stops: whatever was under way ends with an unknown outcome, reads
 * and what had not begun with {@link EntroQException.Unavailable}, and later calls with {@link
 * EntroQException.Closed}, which names the cause.
 */
public class EmbeddedEntroQ extends LocalEntroQ {
  private final EmbeddedEngine engine;
  private final Object levelLock = new Object();
  private volatile int level;

  /** Puts threads around what was opened. */
  EmbeddedEntroQ(EmbeddedConfig config, EngineStore store) {
    this(config, store, new SecureRandom());
  }

  private EmbeddedEntroQ(EmbeddedConfig config, EngineStore store, SecureRandom random) {
    // Before the engine's thread has the state.
    this(
        config,
        store.core().machine().level(),
        new EmbeddedEngine(store, config, random.nextLong() | 1),
        random);
  }

  private EmbeddedEntroQ(
      EmbeddedConfig config, int level, EmbeddedEngine engine, SecureRandom random) {
    super(config.callerBounds(), engine.entrance(), random);
    this.level = level;
    this.engine = engine;
  }

  /**
   * Opens the queue in a directory, which is made if need be, at level {@code OS}.
   *
   * @throws io.entroq.engine.log.LogException if the directory is in use, damaged, or cannot be
   *     read; the message says what to do
   * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add
   */
  public static EmbeddedEntroQ open(Path directory) {
    return open(EmbeddedConfig.in(directory).build());
  }

  /**
   * Opens a queue.
   *
   * @throws io.entroq.engine.log.LogException if the directory is in use, damaged, or cannot be
   *     read; the message says what to do
   * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add
   */
  public static EmbeddedEntroQ open(EmbeddedConfig config) {
    EngineStore store = EngineStore.open(config, EngineEnvironment.ofThisMachine());
    try {
      return new EmbeddedEntroQ(config, store);
    } catch (Throwable t) {
      // No thread could be had.
      Closing.after(t, () -> store.close(true));
      throw t;
    }
  }

  /** Opens a queue that is gone when it is closed. */
  public static EmbeddedEntroQ inMemory() {
    return open(EmbeddedConfig.inMemory().build());
  }

  /** The engine in numbers, for metrics. Asks the engine nothing; also when it has ended. */
  public EngineStats stats() {
    return engine.stats();
  }

  /**
   * The behaviour level of the log: which version of the rules its commands are executed by. A new
   * log begins with the newest one that the build has; one that is older stays at its level until
   * that is raised.
   */
  public int level() {
    return level;
  }

  /**
   * Raises the behaviour level, by a command in the log: from the next command on the rules of the
   * new level hold. There is no way back: builds that do not support it refuse the log from then
   * on. Does nothing if it is the level already.
   *
   * @param to up to {@link io.entroq.engine.state.Levels#MAX}, which says what each has changed
   * @throws EntroQException.InvalidArgument if this build does not support the level, or if it is
   *     below the present one
   * @throws EntroQException.OutcomeUnknown if the engine fails meanwhile
   */
  public void raiseLevel(int to) {
    synchronized (levelLock) {
      LevelRequest request = LevelRequest.to(to, level);
      if (to > level) {
        level = call(request);
      }
    }
  }

  /**
   * Finishes what is under way, ends claims that wait with {@link EntroQException.Closed}, forces
   * and closes the log, and gives the directory free. Every call returns when that is done.
   *
   * @throws IllegalStateException if something could not be closed, with every error attached
   */
  @Override
  public void close() {
    engine.close();
  }

  /** The threads and the state behind this. */
  public EmbeddedEngine engine() {
    return engine;
  }
}
