package io.entroq.engine.feed;

import io.entroq.api.EntroQException;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedRange;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedStats;
import io.entroq.engine.gateway.HistoryPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The feed of an engine: its readers, the ring from which they read, and the thread that tells
 * those that wait. Any thread, unless a method says otherwise.
 *
 * <p>There is a ring from the first reader until a minute after the last. Readers pull, so those
 * that read nothing hold nobody up.
 */
public final class FeedHub implements EffectFeed {
  /** Bytes of the ring of an engine. */
  public static final int RING_BYTES = 64 << 20;

  static final int READERS_MAX = 256;
  static final long FREED_AFTER_NS = TimeUnit.SECONDS.toNanos(60);

  private final FeedSwitch feedSwitch;
  private final FeedSource source;
  private final int ringBytes;
  private final History history;

  /** Null if the engine has no threads of its own. */
  private final FeedThread thread;

  private final Object lock = new Object();
  private final List<HubReader> readers = new CopyOnWriteArrayList<>();

  /** Null if there is none; written under the lock. */
  private volatile EffectRing ring;

  /** Rings that nobody reads any more but that may still be written to; under the lock. */
  private final List<EffectRing> unused = new ArrayList<>();

  /** Whether there is the memory of a ring, read or not; written under the lock. */
  private volatile boolean isUsed;

  private final AtomicLong replaysOpened = new AtomicLong();
  private final AtomicLong overruns = new AtomicLong();
  private final LongAdder effects = new LongAdder();
  private int valueReaders;
  private long unreadSinceNs;

  /** Why nothing is shown any more; null while it is. */
  private FeedEnd end;

  /**
   * @param feedSwitch at which the applying thread of the engine looks
   * @param ringBytes a power of two from 64 KiB to 1 GiB
   * @param hasThread false if the engine calls {@link #step} instead
   */
  public FeedHub(FeedSwitch feedSwitch, FeedSource source, int ringBytes, boolean hasThread) {
    this(feedSwitch, source, ringBytes, hasThread, null);
  }

  /**
   * @param history what the ring does not have; closed with this; null if there is none
   */
  public FeedHub(
      FeedSwitch feedSwitch, FeedSource source, int ringBytes, boolean hasThread, History history) {
    this.feedSwitch = feedSwitch;
    this.source = source;
    this.ringBytes = ringBytes;
    this.history = history;
    thread = hasThread ? new FeedThread(this) : null;
  }

  /**
   * {@inheritDoc} The first one allocates the ring.
   *
   * @throws EntroQException.ResourceExhausted also if there is no memory for the ring
   */
  @Override
  public FeedReader open(FeedRequest request) {
    EffectFilter filter = new EffectFilter(request);
    synchronized (lock) {
      if (end != null) {
        return new HubReader(this, end);
      }
      if (readers.size() >= READERS_MAX) {
        throw new EntroQException.ResourceExhausted(
            "%d readers of the feed are open, which is the limit. Close one, or open it later"
                .formatted(READERS_MAX));
      }
      if (ring == null) {
        ring = allocate();
        isUsed = true;
        feedSwitch.want(ring);
        source.wakeEngine().run();
      }
      if (request.hasValues()) {
        valueReaders++;
        ring.wantValues(true);
      }
      HubReader reader = new HubReader(this, ring.memory(), request, filter);
      readers.add(reader);
      return request.untilTimeMs() == Long.MAX_VALUE
          ? reader
          : new TimedReader(reader, source, request.untilTimeMs());
    }
  }

  private EffectRing allocate() {
    try {
      return new EffectRing(new RingMemory(ringBytes));
    } catch (OutOfMemoryError e) {
      throw new EntroQException.ResourceExhausted(
          ("there are no %,d bytes of direct memory for the feed. Raise the JVM's"
                  + " MaxDirectMemorySize")
              .formatted(ringBytes));
    }
  }

  @Override
  public FeedRange kept() {
    HistoryPoint point = history == null ? HistoryPoint.END : history.first();
    synchronized (lock) {
      // Under the lock the ring is not freed.
      RingMemory memory = ring == null ? null : ring.memory();
      boolean isWritten = memory != null && memory.firstStep(false) != RingMemory.NEVER;
      long last = isWritten ? lastShown(memory) : visible();
      long first = isWritten ? RingCursor.firstStep(memory) : RingMemory.NEVER;
      return point.sequence() > last
          ? new FeedRange(Math.min(first, last + 1), last, 0)
          : new FeedRange(Math.min(first, point.sequence() + 1), last, point.timeMs());
    }
  }

  @Override
  public FeedStats stats() {
    int replays = 0;
    for (HubReader reader : readers) {
      replays += reader.isInHistory() ? 1 : 0;
    }
    return new FeedStats(
        readers.size(), replays, replaysOpened.get(), overruns.get(), effects.sum(), kept());
  }

  /** A reader has shown effects. */
  void countEffects(int shown) {
    effects.add(shown);
  }

  /** A reader has lost its place in the ring. */
  void countOverrun() {
    overruns.incrementAndGet();
  }

  /** Ends all readers and frees the ring. When no command is or will be applied any more. */
  public void close() {
    close(new FeedEnd(FeedEnd.Reason.CLOSED, "the engine is closed"));
  }

  /**
   * The same for an engine that may have failed.
   *
   * @param cause why it has failed; null if it has not
   */
  public void close(Throwable cause) {
    if (cause == null) {
      close();
    } else {
      close(new FeedEnd(FeedEnd.Reason.FAULT, "the engine has stopped: " + cause.getMessage()));
    }
  }

  private void close(FeedEnd why) {
    synchronized (lock) {
      if (end != null) {
        return;
      }
      end = why;
    }
    // From here on none is added. None of these reads from the ring after it was told.
    readers.forEach(reader -> reader.end(why));
    if (history != null) {
      history.close();
    }
    synchronized (lock) {
      if (ring != null) {
        unused.add(ring);
        ring = null;
      }
      unused.forEach(gone -> gone.memory().free());
      unused.clear();
      isUsed = false;
    }
  }

  /** A reader was closed; it does not read from the ring any more. */
  void remove(HubReader reader, boolean hadValues) {
    synchronized (lock) {
      if (!readers.remove(reader) || ring == null) {
        return;
      }
      if (hadValues && --valueReaders == 0) {
        ring.wantValues(false);
      }
      if (!readers.isEmpty()) {
        return;
      }
      unreadSinceNs = nowNs();
    }
    startThread();
  }

  /** Somebody waits, or something must be freed later. */
  void startThread() {
    if (thread != null) {
      thread.start();
    }
  }

  /** Tells readers that wait, and frees a ring that nobody has read for a minute. */
  public void step() {
    if (!isUsed) {
      return;
    }
    long nowNs = nowNs();
    for (HubReader reader : readers) {
      reader.tell(nowNs);
    }
    free(nowNs);
  }

  private void free(long nowNs) {
    synchronized (lock) {
      if (ring != null && readers.isEmpty() && nowNs - unreadSinceNs >= FREED_AFTER_NS) {
        unused.add(ring);
        ring = null;
        feedSwitch.want(null);
        source.wakeEngine().run();
      }
      if (!unused.isEmpty() && feedSwitch.isDone()) {
        unused.forEach(gone -> gone.memory().free());
        unused.clear();
        isUsed = ring != null;
      }
    }
  }

  /** Whether {@link #step} has something to do, now or later. */
  boolean isNeeded() {
    synchronized (lock) {
      boolean isFreeing = !unused.isEmpty() || (ring != null && readers.isEmpty());
      return isFreeing || readers.stream().anyMatch(HubReader::isWaiting);
    }
  }

  /** The last step that readers may see now; grows when there is something new. */
  long progress() {
    EffectRing read = ring;
    return read == null ? 0 : lastShown(read.memory());
  }

  long lastShown(RingMemory memory) {
    return Math.min(memory.lastStep(), visible());
  }

  /** The last step that may be shown, applied or not. */
  long visible() {
    return source.visible().getAsLong();
  }

  UUID logId() {
    return source.logId().get();
  }

  long nowNs() {
    return source.nanoTime().getAsLong();
  }

  /** Null if there is none. */
  History history() {
    return history;
  }

  /** Begins to read the history, which there is. */
  FeedReader openHistory(FeedRequest request) {
    replaysOpened.incrementAndGet();
    return history.open(request);
  }

  boolean hasThread() {
    return thread != null && thread.isRunning();
  }

  /** Where effects are written; null if nobody reads. */
  EffectRing ring() {
    return ring;
  }

  /** Whether there is the memory of a ring, read or not. */
  boolean hasRing() {
    return isUsed;
  }
}
