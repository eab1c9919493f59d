package io.entroq.engine.feed;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.history.ReplayBudget;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The history of the directory of an engine, or of the mirror of a replica, that runs. Each reader
 * has a thread that loads a snapshot and replays the log beside the engine, so there are few at a
 * time.
 */
public final class DirectoryHistory implements History {
  /** So many readers may read the history of an engine at a time. */
  static final int REPLAYS_MAX = 2;

  /** What is kept is looked up on the disk again after this time. */
  private static final long LOOKED_UP_NS = TimeUnit.SECONDS.toNanos(1);

  private final Path path;
  private final HolePolicy policy;
  private final ReplayBudget budget;
  private final FeedSource source;
  private final LongSupplier generation;

  // Under the monitor.

  private final Map<FeedReplay, Thread> replays = new HashMap<>();
  private long started;
  private boolean isClosed;

  // Under a lock of their own, which is held while the disk is read.

  private final Object lookUp = new Object();
  private HistoryPoint first = HistoryPoint.END;
  private long lookedUpNs;
  private boolean isLookedUp;

  /**
   * @param path of the data directory
   * @param policy how to treat a hole in its log
   * @param budget the memory of the states of all readers
   * @param source shows at most what is in the directory
   * @param generation 0 while the directory cannot be read, else a number that changes when its
   *     files are replaced by others; any thread
   */
  public DirectoryHistory(
      Path path,
      HolePolicy policy,
      ReplayBudget budget,
      FeedSource source,
      LongSupplier generation) {
    this.path = path;
    this.policy = policy;
    this.budget = budget;
    this.source = source;
    this.generation = generation;
  }

  @Override
  public HistoryPoint first() {
    if (generation() == 0) {
      return HistoryPoint.END;
    }
    synchronized (lookUp) {
      long nowNs = source.nanoTime().getAsLong();
      if (!isLookedUp || nowNs - lookedUpNs >= LOOKED_UP_NS) {
        first = lookUpFirst();
        lookedUpNs = nowNs;
        isLookedUp = true;
      }
      return first;
    }
  }

  private HistoryPoint lookUpFirst() {
    SnapshotDirectory snapshots = new SnapshotDirectory(path, Forcer.DISK);
    try (HistoryDirectory found =
        new HistoryDirectory(LogDirectory.read(path), snapshots, policy)) {
      return found.firstPoint();
    } catch (LogException e) {
      // A reader of the history is told why.
      return HistoryPoint.END;
    }
  }

  @Override
  public synchronized FeedReader open(FeedRequest request) {
    if (isClosed) {
      return new EndedReader(new FeedEnd(FeedEnd.Reason.CLOSED, "the engine is closed"));
    }
    if (generation() == 0) {
      return new EndedReader(HistoryFailure.away());
    }
    if (replays.size() >= REPLAYS_MAX) {
      return new EndedReader(
          new FeedEnd(
              FeedEnd.Reason.EXHAUSTED,
              ("limit replays: %d readers read the history of this engine, which is the limit."
                      + " Try again later")
                  .formatted(REPLAYS_MAX)));
    }
    FeedReplay replay = new FeedReplay(this, request);
    started++;
    Thread thread = new Thread(replay, "entroq-feed-replay-" + started);
    thread.setDaemon(true);
    replays.put(replay, thread);
    thread.start();
    return replay.reader();
  }

  /** A replay does not need its place any more. */
  synchronized void ended(FeedReplay replay) {
    replays.remove(replay);
  }

  @Override
  public void close() {
    List<Thread> running;
    synchronized (this) {
      isClosed = true;
      running = new ArrayList<>(replays.values());
      replays.keySet().forEach(replay -> replay.reader().close());
    }
    for (Thread thread : running) {
      ThroughInterrupts.await(thread::join);
    }
  }

  /**
   * Opens the directory; keeps the engine from removing anything until it is closed.
   *
   * @param reader its name, for the list of readers
   */
  public HistoryDirectory directory(String reader) {
    return HistoryDirectory.open(path, policy, reader);
  }

  /** 0 while the directory cannot be read, else a number that changes when its files do. */
  public long generation() {
    return generation.getAsLong();
  }

  /** What is known of the engine. */
  public FeedSource source() {
    return source;
  }

  /** The memory of the states of all readers. */
  public ReplayBudget budget() {
    return budget;
  }

  /** A reader that has nothing. */
  private record EndedReader(FeedEnd end) implements FeedReader {
    @Override
    public int poll(EffectConsumer consumer, int bytesMax) {
      return 0;
    }

    @Override
    public boolean await(Runnable onAvailable) {
      return false;
    }

    @Override
    public Optional<FeedEnd> ended() {
      return Optional.of(end);
    }

    @Override
    public void close() {
      // It has nothing.
    }
  }
}
