package io.entroq.cluster.mirror;

import io.entroq.codec.command.GenesisDecoder;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;

/** The thread that takes records out of the queue and appends them to the log of the mirror. */
final class MirrorWriter implements MirrorQueue.Receiver {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());
  private static final long IDLE_NS_LEAST = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long IDLE_NS_MOST = TimeUnit.MILLISECONDS.toNanos(2);

  private final MirrorStore store;
  private final MirrorQueue queue;
  private final Thread thread;
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final AtomicReference<MirrorSnapshot> wanted = new AtomicReference<>();
  private final AtomicReference<Seed> seed = new AtomicReference<>();
  private volatile long writtenSequence;
  private volatile boolean hasFailed;
  private volatile boolean isClosing;

  /** Null: none is open. */
  private CommandLog log;

  MirrorWriter(MirrorStore store, MirrorQueue queue) {
    this.store = store;
    this.queue = queue;
    thread = new Thread(this::run, "entroq-mirror");
    thread.setDaemon(true);
  }

  /**
   * What a mirror begins anew with.
   *
   * @param reason what is wrong with the one that there is; null: nothing but that it is old
   * @param hadFailed whether the one that there is can be written no more
   */
  private record Seed(MirrorSnapshot snapshot, String reason, boolean hadFailed) {}

  void start() {
    thread.start();
  }

  /** Has a snapshot written, when the log has come to it. Applying thread. */
  void snapshot(MirrorSnapshot snapshot) {
    wanted.set(snapshot);
  }

  /**
   * Says with what the mirror begins anew, before the record goes into the queue that it begins
   * with. Nothing may be under way or in the queue: then what has failed before counts no more.
   * Applying thread.
   *
   * @param reason what is wrong with the one that there is; null: nothing but that it is old
   */
  void seed(MirrorSnapshot snapshot, String reason) {
    seed.set(new Seed(snapshot, reason, hasFailed));
    hasFailed = false;
  }

  /** Up to there it is written by earlier processes. Applying thread, before the first record. */
  void found(long lastSequence) {
    writtenSequence = lastSequence;
  }

  /** That record found no room. Applying thread. */
  void takeSeedBack() {
    hasFailed = seed.getAndSet(null).hadFailed;
  }

  private void run() {
    BackoffIdleStrategy idle = new BackoffIdleStrategy(10, 10, IDLE_NS_LEAST, IDLE_NS_MOST);
    boolean isOver = false;
    while (!isOver) {
      // Looked at first: what was put in before the end was said is written.
      boolean ends = isClosing;
      int done = queue.read(this) + beginSnapshot();
      isOver = ends && done == 0;
      idle.idle(done);
    }
    closeLog();
  }

  private int beginSnapshot() {
    MirrorSnapshot snapshot = wanted.get();
    // Not in what goes as soon as the seed comes. One that is wanted behind it is seen with it.
    if (snapshot == null || seed.get() != null || !wanted.compareAndSet(snapshot, null)) {
      return 0;
    }
    try {
      snapshot.begin(store, this);
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    return 1;
  }

  @Override
  public void onRecord(
      boolean isSeed,
      int type,
      int logTag,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    Seed begins = isSeed ? seed.getAndSet(null) : null;
    try {
      if (begins != null) {
        makeRoom(begins);
      } else if (hasFailed) {
        return;
      }
      if (log == null) {
        int tag = logTag == 0 ? logTag(payload, offset, length) : logTag;
        log = store.append(sequence - 1, tag);
      }
      log.append(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      writtenSequence = sequence;
      if (begins != null) {
        begins.snapshot.begin(store, this);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
      if (begins != null) {
        begins.snapshot.drop();
      }
    }
  }

  private int logTag(DirectBuffer payload, int offset, int length) {
    genesis.wrap(payload, offset, length);
    return (int) genesis.logIdLow();
  }

  private void makeRoom(Seed begins) {
    closeLog();
    if (begins.reason == null) {
      store.clear();
    } else {
      Path place = store.setAside();
      LOGGER.log(
          Level.WARNING,
          "The mirror was set aside in " + place + ", and begins anew: " + begins.reason);
    }
    store.renew();
    writtenSequence = 0;
  }

  private void fail(Throwable e) {
    hasFailed = true;
    String why = e instanceof LogException ? e.getMessage() : e.toString();
    LOGGER.log(Level.WARNING, "The mirror cannot be written, and drops out: " + why);
    closeLog();
  }

  private void closeLog() {
    CommandLog open = log;
    log = null;
    try {
      if (open != null) {
        open.close();
      }
    } catch (RuntimeException | Error e) {
      LOGGER.log(Level.WARNING, "The log of the mirror was not closed cleanly: " + e);
    }
  }

  /**
   * Returns when a record is written.
   *
   * @throws LogException if it never will be
   */
  void awaitWritten(long sequence) {
    while (writtenSequence < sequence) {
      if (hasFailed || !thread.isAlive()) {
        throw LogException.error("its log does not come that far");
      }
      LockSupport.parkNanos(IDLE_NS_MOST);
    }
  }

  /** Whether nothing can be written until the mirror begins anew. Any thread. */
  boolean hasFailed() {
    return hasFailed;
  }

  /** The last record that was written; 0: none yet. Any thread. */
  long writtenSequence() {
    return writtenSequence;
  }

  /** Writes what is in the queue, and ends. */
  void close() {
    isClosing = true;
    ThroughInterrupts.await(thread::join);
  }
}
