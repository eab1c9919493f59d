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

/** The thread that appends records from the queue to the mirror's log. */
final class MirrorWriter implements MirrorQueue.Receiver {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());

  /** Between two looks at the queue. Nothing waits for the mirror, and long sleeps cost less. */
  private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long ROOM_CHECK_NS = TimeUnit.SECONDS.toNanos(1);

  private final MirrorStore store;
  private final MirrorQueue queue;
  private final Thread thread;
  private final GenesisDecoder genesis = new GenesisDecoder();
  private final AtomicReference<MirrorSnapshot> requested = new AtomicReference<>();
  private final AtomicReference<Restart> restart = new AtomicReference<>();
  private volatile long writtenSequence;
  private volatile boolean hasFailed;
  private volatile boolean isClosing;

  /** Null if none is open. */
  private CommandLog log;

  private long roomCheckedNs = System.nanoTime();

  MirrorWriter(MirrorStore store, MirrorQueue queue) {
    this.store = store;
    this.queue = queue;
    thread = new Thread(this::run, "entroq-mirror");
    thread.setDaemon(true);
  }

  /**
   * A restart of the mirror.
   *
   * @param snapshot the first one of the new mirror
   * @param fault what is wrong with the old mirror; null if it is only old
   * @param hadFailed whether the old mirror could not be written
   */
  private record Restart(MirrorSnapshot snapshot, String fault, boolean hadFailed) {}

  void start() {
    thread.start();
  }

  /** Requests the writing of a snapshot after the log has reached it. Applying thread. */
  void snapshot(MirrorSnapshot snapshot) {
    requested.set(snapshot);
  }

  /**
   * Prepares a restart. Called before the first record goes into the queue, when the queue is empty
   * and no snapshot is in progress; earlier failures no longer count. Applying thread.
   *
   * @param fault what is wrong with the old mirror; null if it is only old
   */
  void restart(MirrorSnapshot snapshot, String fault) {
    restart.set(new Restart(snapshot, fault, hasFailed));
    hasFailed = false;
  }

  /** Continues a log that earlier processes wrote. Applying thread, before the first record. */
  void continueAfter(long lastSequence) {
    writtenSequence = lastSequence;
  }

  /** Undoes a restart whose first record did not fit into the queue. Applying thread. */
  void undoRestart() {
    hasFailed = restart.getAndSet(null).hadFailed;
  }

  private void run() {
    boolean isOver = false;
    while (!isOver) {
      // Read before the queue, so that everything added before close() is written.
      boolean wasClosing = isClosing;
      int done = queue.read(this) + beginSnapshot();
      makeRoom();
      isOver = wasClosing && done == 0;
      if (done == 0) {
        LockSupport.parkNanos(IDLE_NS);
      }
    }
    closeLog();
  }

  private void makeRoom() {
    long nowNs = System.nanoTime();
    if (nowNs - roomCheckedNs < ROOM_CHECK_NS) {
      return;
    }
    roomCheckedNs = nowNs;
    try {
      store.makeRoom();
    } catch (RuntimeException | Error e) {
      LOGGER.log(Level.WARNING, "History of the mirror could not be removed: " + e);
    }
  }

  private int beginSnapshot() {
    MirrorSnapshot snapshot = requested.get();
    // Not while a restart is pending, which deletes the old files.
    if (snapshot == null || restart.get() != null || !requested.compareAndSet(snapshot, null)) {
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
      boolean isRestart,
      int type,
      int logTag,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    Restart first = isRestart ? restart.getAndSet(null) : null;
    try {
      if (first != null) {
        removeOld(first);
      } else if (hasFailed) {
        return;
      }
      if (log == null) {
        int tag = logTag == 0 ? logTag(payload, offset, length) : logTag;
        log = store.append(sequence - 1, tag);
      }
      log.append(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      writtenSequence = sequence;
      if (first != null) {
        first.snapshot.begin(store, this);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
      if (first != null) {
        first.snapshot.drop();
      }
    }
  }

  private int logTag(DirectBuffer payload, int offset, int length) {
    genesis.wrap(payload, offset, length);
    return (int) genesis.logIdLow();
  }

  private void removeOld(Restart first) {
    closeLog();
    if (first.fault == null) {
      store.clear();
    } else {
      Path target = store.setAside();
      LOGGER.log(
          Level.WARNING, "The mirror was set aside in " + target + " and restarts: " + first.fault);
    }
    store.reset();
    writtenSequence = 0;
  }

  private void fail(Throwable e) {
    hasFailed = true;
    String reason = e instanceof LogException ? e.getMessage() : e.toString();
    LOGGER.log(Level.WARNING, "The mirror cannot be written and drops out: " + reason);
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
      LOGGER.log(Level.WARNING, "The mirror's log was not closed cleanly: " + e);
    }
  }

  /**
   * Waits until a record is written.
   *
   * @throws LogException if it never will be
   */
  void awaitWritten(long sequence) {
    while (writtenSequence < sequence) {
      if (hasFailed || !thread.isAlive()) {
        throw LogException.error("the log was not written up to this record");
      }
      LockSupport.parkNanos(IDLE_NS);
    }
  }

  /** Whether the mirror must restart before anything can be written. Any thread. */
  boolean hasFailed() {
    return hasFailed;
  }

  /** The last written record; 0 if there is none. Any thread. */
  long writtenSequence() {
    return writtenSequence;
  }

  /** Writes the rest of the queue and ends the thread. */
  void close() {
    isClosing = true;
    ThroughInterrupts.await(thread::join);
  }
}
