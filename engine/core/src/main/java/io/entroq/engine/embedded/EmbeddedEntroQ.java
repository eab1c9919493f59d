package io.entroq.engine.embedded;

import io.entroq.api.EntroQException;
import io.entroq.api.feed.FeedCursor;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedRange;
import io.entroq.api.feed.FeedSource;
import io.entroq.engine.Closing;
import io.entroq.engine.call.LevelRequest;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.Views;
import io.entroq.engine.local.LocalEntroQ;
import io.entroq.engine.local.LocalFeedCursor;
import io.entroq.engine.log.LogException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * A task queue in this process: an engine with its own threads, and its log in a directory.
 *
 * <pre>{@code
 * try (EntroQ queue = EmbeddedEntroQ.open(Path.of("data"))) {
 *   queue.modify(Modification.insert("inbox", "hello")).orThrow();
 * }
 * }</pre>
 *
 * <p>One engine at a time may use a directory. Any thread may call. At the limits of the {@link
 * EmbeddedConfig} calls wait for room, including those that return futures, and are then refused
 * with {@link EntroQException.ResourceExhausted}.
 *
 * <p>Futures complete on a thread of the engine that does nothing else. Code chained to them
 * without an executor delays other futures while it runs, and nothing else. A request made on that
 * thread is refused at once where others wait for room.
 *
 * <p>If the log fails, the engine stops. Writes in flight end with an unknown outcome; reads, and
 * requests that had not started, with {@link EntroQException.Unavailable}; later calls with {@link
 * EntroQException.Closed}, which names the cause.
 */
public class EmbeddedEntroQ extends LocalEntroQ implements FeedSource {
  private final EmbeddedEngine engine;
  private final Object levelLock = new Object();
  private volatile int level;

  EmbeddedEntroQ(EmbeddedConfig config, EngineStore store) {
    this(config, store, new SecureRandom());
  }

  private EmbeddedEntroQ(EmbeddedConfig config, EngineStore store, SecureRandom random) {
    // Reads the level before the engine's thread owns the state.
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
   * Opens the queue in a directory, which is created if needed, at durability {@code OS}.
   *
   * @throws EntroQException.Storage if the directory is in use, damaged, or cannot be read; the
   *     message says what to do, the cause more about damage
   * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add
   */
  public static EmbeddedEntroQ open(Path directory) {
    return open(EmbeddedConfig.in(directory).build());
  }

  /**
   * Opens a queue.
   *
   * @throws EntroQException.Storage if the directory is in use, damaged, or cannot be read; the
   *     message says what to do, the cause more about damage
   * @throws IllegalStateException if the JVM lacks a flag; the message has the line to add
   */
  public static EmbeddedEntroQ open(EmbeddedConfig config) {
    EngineStore store;
    try {
      store = EngineStore.open(config, EngineEnvironment.ofThisMachine());
    } catch (LogException e) {
      throw new EntroQException.Storage(e.getMessage(), e);
    }
    try {
      return new EmbeddedEntroQ(config, store);
    } catch (Throwable t) {
      // A thread could not be started.
      Closing.after(t, () -> store.close(true));
      throw t;
    }
  }

  /** Opens a queue in memory. Its content is lost on close. */
  public static EmbeddedEntroQ inMemory() {
    return open(EmbeddedConfig.inMemory().build());
  }

  /** Statistics, for metrics. Does not involve the engine's thread; works also after its end. */
  public EngineStats stats() {
    return engine.stats();
  }

  /**
   * Shows what happens to tasks and docs. While somebody reads, and for a minute after, that takes
   * 64 MiB of direct memory. At durability {@code DISK} it shows what is forced.
   */
  public EffectFeed feed() {
    return engine.feed();
  }

  /** Shows the state as of earlier points; empty for a queue in memory, which has no history. */
  public Optional<Views> views() {
    return Optional.ofNullable(engine.views());
  }

  /** {@inheritDoc} It reads {@link #feed()}. */
  @Override
  public FeedCursor openFeed(FeedQuery query) {
    return LocalFeedCursor.open(feed(), gateway()::logId, query);
  }

  @Override
  public FeedRange feedRange() {
    return LocalFeedCursor.range(feed());
  }

  /**
   * The behavior level of the log: the version of the rules by which its commands are executed. A
   * new log starts at this build's newest level; an older log keeps its level until it is raised.
   */
  public int level() {
    return level;
  }

  /**
   * Raises the behavior level by a command in the log; the new rules apply from the next command
   * on. This cannot be undone: builds that do not support the level refuse the log from then on. No
   * effect if it is already the current level.
   *
   * @param to up to {@link io.entroq.engine.state.Levels#MAX}, which lists what each level changed
   * @throws EntroQException.InvalidArgument if this build does not support the level, or if it is
   *     below the current one
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
   * Finishes requests in flight, ends waiting claims with {@link EntroQException.Closed}, forces
   * and closes the log, and releases the directory. Every call returns when that is done.
   *
   * @throws EntroQException.Storage if something could not be closed, with every error attached
   */
  @Override
  public void close() {
    engine.close();
  }

  /** For the engine's own modules and tests. */
  public EmbeddedEngine engine() {
    return engine;
  }
}
