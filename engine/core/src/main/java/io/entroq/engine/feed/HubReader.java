package io.entroq.engine.feed;

import io.entroq.codec.effect.EffectReader;
import io.entroq.codec.effect.StepFrame;
import io.entroq.engine.gateway.EffectConsumer;
import io.entroq.engine.gateway.FeedEnd;
import io.entroq.engine.gateway.FeedReader;
import io.entroq.engine.gateway.FeedRequest;
import io.entroq.engine.gateway.FeedRequest.Start;
import io.entroq.engine.history.HistoryException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.agrona.ExpandableArrayBuffer;

/**
 * A reader of a feed: from the ring while it has what comes next, else from the history.
 *
 * <p>Its monitor guards its place. It is held while a frame is copied, so that nobody reads from
 * memory that is freed, and never while a consumer or a listener is called.
 */
final class HubReader implements FeedReader {
  /** A member may not have applied yet what a reader has seen elsewhere. */
  static final long FUTURE_NS = TimeUnit.SECONDS.toNanos(5);

  static final long MARK_NS = TimeUnit.SECONDS.toNanos(1);

  /** A larger buffer is not kept. */
  private static final int KEPT_BYTES_MAX = 1 << 20;

  private static final int WHOLE = Integer.MAX_VALUE;

  private final FeedHub hub;
  private final RingMemory memory;
  private final FeedRequest request;
  private final EffectFilter filter;
  private final long openedNs;

  // The place; all under the monitor.

  /** Null before the place in the ring is known, and while the history is read. */
  private RingCursor cursor;

  /** Reads the history; null while the ring is read. */
  private HistoryPart past;

  /** All effects up to this step have been shown or are not asked for. */
  private long shown;

  /** Of the next step, effects up to this one are not asked for. */
  private int skipped = -1;

  /** The last step up to which all was shown and whose log time is known. */
  private long marked;

  /** The log time of that step; 0 before there is one. */
  private long logTimeMs;

  private long markedNs;
  private FeedEnd end;

  /** Null if nobody waits. */
  private volatile Runnable waiting;

  // What the polling thread alone uses.

  private final StepFrame step = new StepFrame();
  private ExpandableArrayBuffer frame = new ExpandableArrayBuffer();

  /** The last step that this poll may show. */
  private long bound;

  private long boundTimeMs;

  /** Of the step in the frame, effects up to this one are not shown. */
  private int skippedInFrame;

  HubReader(FeedHub hub, RingMemory memory, FeedRequest request, EffectFilter filter) {
    this.hub = hub;
    this.memory = memory;
    this.request = request;
    this.filter = filter;
    openedNs = hub.nowNs();
    markedNs = openedNs;
    if (beginsNow() && memory.firstStep(request.hasValues()) != RingMemory.NEVER) {
      beginNow();
    }
  }

  /** One that has ended before it began. */
  HubReader(FeedHub hub, FeedEnd end) {
    this.hub = hub;
    this.end = end;
    memory = null;
    request = FeedRequest.all(new Start.Now());
    filter = null;
    openedNs = 0;
  }

  private boolean beginsNow() {
    return request.start() instanceof Start.Now || request.start() instanceof Start.Live;
  }

  private void beginNow() {
    cursor = RingCursor.atEnd(memory);
    // After the cursor: what comes between is in front of it and is not shown.
    shown = memory.lastStep();
    mark(shown, memory.logTimeMs(shown));
  }

  @Override
  public int poll(EffectConsumer consumer, int bytesMax) {
    HistoryPart history = begin();
    if (history != null) {
      int told = history.poll(consumer, bytesMax);
      hub.countEffects(history.shown());
      comeBack(history);
      return told;
    }
    int told = 0;
    int bytes = 0;
    int length = take(Integer.MAX_VALUE);
    while (length > 0) {
      told += show(consumer);
      bytes += length;
      length = take(bytesMax - bytes);
    }
    hub.countEffects(told);
    if (frame.capacity() > KEPT_BYTES_MAX) {
      frame = new ExpandableArrayBuffer();
    }
    if (isMarkDue(told > 0 || length == RingCursor.FULL)) {
      consumer.onMark(marked, logTimeMs);
      told++;
    }
    completeIfDone();
    return told;
  }

  /** Returns what reads the history, if it is read. */
  private synchronized HistoryPart begin() {
    locate();
    if (memory != null) {
      long last = memory.lastStep();
      bound = Math.min(last, Math.min(request.untilSequence(), hub.visible()));
      boundTimeMs = memory.logTimeMs(bound);
    }
    return past;
  }

  private long bound() {
    return Math.min(request.untilSequence(), hub.lastShown(memory));
  }

  /** Copies the next step into the frame; its length, or why there is none. */
  private synchronized int take(int bytesMax) {
    int length;
    do {
      if (end != null || cursor == null) {
        return RingCursor.LOST;
      }
      length = cursor.next(bound, bytesMax, frame);
    } while (length > 0 && step.wrap(frame, 0, length).sequence() <= shown);
    if (length == RingCursor.LOST) {
      hub.countOverrun();
    }
    if (length > 0 && isUnfit()) {
      pass(step.sequence() - 1, memory.logTimeMs(step.sequence() - 1));
      length = RingCursor.LOST;
    }
    if (length == RingCursor.LOST) {
      leaveRing();
    } else if (length == RingCursor.NONE) {
      pass(bound, boundTimeMs);
    } else if (length > 0) {
      pass(step.sequence(), step.logTimeMs());
    }
    return length;
  }

  /** A step that was too large for the ring, or one written when nobody wanted values. */
  private boolean isUnfit() {
    return step.effects() == 0 || (request.hasValues() && step.sequence() < memory.firstStep(true));
  }

  private void pass(long sequence, long timeMs) {
    if (sequence > shown) {
      skippedInFrame = sequence == shown + 1 ? skipped : -1;
      skipped = -1;
      shown = sequence;
    }
    if (sequence == shown) {
      mark(sequence, timeMs);
    }
  }

  private void mark(long sequence, long timeMs) {
    if (timeMs > 0) {
      marked = sequence;
      logTimeMs = timeMs;
    }
  }

  private int show(EffectConsumer consumer) {
    int told = 0;
    while (step.next()) {
      EffectReader effect = step.effect();
      if (effect.index() > skippedInFrame && filter.matches(effect)) {
        consumer.onEffect(effect);
        told++;
      }
    }
    return told;
  }

  private synchronized boolean isMarkDue(boolean hasShown) {
    long nowNs = hub.nowNs();
    boolean isOpen = end == null && cursor != null;
    boolean isDue = hasShown || (isOpen && nowNs - markedNs >= MARK_NS);
    if (isDue && canMark(bound)) {
      markedNs = nowNs;
      return true;
    }
    return false;
  }

  /** A reader may begin after a step that may not be shown yet, or within one. */
  private boolean canMark(long lastVisible) {
    return logTimeMs > 0 && marked <= lastVisible && skipped < 0;
  }

  private synchronized void completeIfDone() {
    if (isDone() && end == null) {
      end = new FeedEnd(FeedEnd.Reason.COMPLETE, "all was shown, up to " + shown);
    }
  }

  private boolean isDone() {
    return cursor != null && shown >= request.untilSequence();
  }

  // Where it begins, and where it goes on. Under the monitor.

  /** Finds the place where it begins, once that can be known. */
  private void locate() {
    if (end != null || cursor != null || past != null) {
      return;
    }
    long first = memory.firstStep(request.hasValues());
    if (request.start() instanceof Start.After after) {
      locate(after, first);
    } else if (!beginsNow()) {
      locateInHistory();
    } else if (first != RingMemory.NEVER) {
      goOn(first);
    }
  }

  private void locate(Start.After after, long first) {
    UUID log = hub.logId();
    if (after.logId() != null && log != null && !log.equals(after.logId())) {
      endWith(
          FeedEnd.Reason.OTHER_LOG,
          "the position is of the log %s, and this is the log %s".formatted(after.logId(), log));
    } else if (after.sequence() > hub.visible()) {
      if (hub.nowNs() - openedNs >= FUTURE_NS) {
        endWith(
            FeedEnd.Reason.FUTURE,
            "the log ends at %d, before the position %d"
                .formatted(hub.visible(), after.sequence()));
      }
    } else if (first != RingMemory.NEVER || isBehind(after.sequence())) {
      boolean isWhole = after.index() == WHOLE || after.sequence() == 0;
      if (after.timeMs() != 0
          && !RingCursor.hasTold(memory, after.sequence(), after.timeMs(), !isWhole)) {
        endWith(
            FeedEnd.Reason.OTHER_LOG,
            HistoryException.ofLostPast(after.sequence(), after.timeMs()));
        return;
      }
      skipped = isWhole ? -1 : after.index();
      goOn(isWhole ? after.sequence() + 1 : after.sequence());
    }
  }

  /** Whether steps are missing that have no values in the ring, whenever it begins to have them. */
  private boolean isBehind(long sequence) {
    return memory.firstStep(false) != RingMemory.NEVER && sequence < memory.lastStep();
  }

  private void locateInHistory() {
    if (hub.history() != null) {
      past = new HistoryPart(hub.openHistory(request));
    } else {
      endWith(
          FeedEnd.Reason.OUT_OF_RANGE,
          "no history is kept: begin now, or after a position that was seen lately");
    }
  }

  /** Goes on with a step. */
  private void goOn(long next) {
    shown = next - 1;
    cursor = inRing(next);
    if (cursor == null) {
      leaveRing();
    }
  }

  /** Null if the ring does not have all from that step on. */
  private RingCursor inRing(long next) {
    return next >= memory.firstStep(request.hasValues()) ? RingCursor.at(memory, next) : null;
  }

  /** What comes next is not in the ring. */
  private void leaveRing() {
    cursor = null;
    if (end != null) {
      return;
    }
    if (hub.history() == null || request.start() instanceof Start.Live) {
      endWith(
          FeedEnd.Reason.OUT_OF_RANGE,
          "what follows %d is no longer kept; the first step that is kept is %d"
              .formatted(shown, firstAfter(shown)));
      return;
    }
    Start start =
        skipped < 0
            ? new Start.After(shown, WHOLE, null, timeMs(shown))
            : new Start.After(shown + 1, skipped, null, timeMs(shown + 1));
    past = new HistoryPart(hub.openHistory(request.withStart(start)));
  }

  /** The log time that the request says a step had; 0 if it says none. */
  private long timeMs(long sequence) {
    return request.start() instanceof Start.After after && after.sequence() == sequence
        ? after.timeMs()
        : 0;
  }

  /** A step that was too large is not kept, though the steps around it are. */
  private long firstAfter(long sequence) {
    // The next step has values if none has yet.
    long ofValues = Math.min(memory.firstStep(request.hasValues()), memory.lastStep() + 1);
    return Math.max(Math.max(RingCursor.firstStep(memory), ofValues), sequence + 2);
  }

  /** Returns to the ring if that has what comes next. */
  private synchronized void comeBack(HistoryPart history) {
    if (end != null) {
      return;
    }
    Optional<FeedEnd> why = history.ended();
    if (why.isPresent()) {
      end = why.get();
      return;
    }
    if (history.isAtMark()) {
      cursor = inRing(history.sequence() + 1);
    }
    if (cursor != null) {
      shown = history.sequence();
      mark(shown, history.logTimeMs());
      skipped = -1;
      markedNs = hub.nowNs();
      past = null;
      history.close();
    }
  }

  private void endWith(FeedEnd.Reason reason, String text) {
    end = new FeedEnd(reason, text);
  }

  // Waiting.

  @Override
  public boolean await(Runnable onAvailable) {
    HistoryPart history;
    synchronized (this) {
      if (isReady(hub.nowNs())) {
        return false;
      }
      waiting = onAvailable;
      history = past;
    }
    if (history != null && !history.await(this::tellNow)) {
      synchronized (this) {
        // Null if it was told already, by the end of the feed.
        boolean isTold = waiting == null;
        waiting = null;
        return isTold;
      }
    }
    hub.startThread();
    return true;
  }

  /** Any thread. */
  synchronized boolean isInHistory() {
    return past != null;
  }

  boolean isWaiting() {
    return waiting != null;
  }

  private boolean isReady(long nowNs) {
    boolean wasInHistory = past != null;
    locate();
    if (end != null) {
      return true;
    }
    if (cursor == null) {
      // The history itself tells when it has something, unless it was just opened.
      return past != null && !wasInHistory;
    }
    long last = bound();
    boolean isMarkDue = last == shown && nowNs - markedNs >= MARK_NS;
    return last > shown || isDone() || isMarkDue;
  }

  /** Tells who waits, if there may be something. */
  void tell(long nowNs) {
    synchronized (this) {
      if (waiting == null || !isReady(nowNs)) {
        return;
      }
    }
    tellNow();
  }

  private void tellNow() {
    Runnable told;
    synchronized (this) {
      told = waiting;
      waiting = null;
    }
    if (told != null) {
      run(told);
    }
  }

  /** What fails there must not stop the feed of others. */
  private void run(Runnable told) {
    try {
      told.run();
    } catch (RuntimeException | Error e) {
      end(new FeedEnd(FeedEnd.Reason.FAULT, "the reader could not be told of effects: " + e));
    }
  }

  // The end.

  @Override
  public synchronized Optional<FeedEnd> ended() {
    return Optional.ofNullable(end);
  }

  /** Ends it, unless it has ended. After this it does not read from the ring. */
  void end(FeedEnd why) {
    HistoryPart history;
    synchronized (this) {
      if (end == null) {
        end = why;
      }
      cursor = null;
      history = past;
      past = null;
    }
    if (history != null) {
      history.close();
    }
    tellNow();
  }

  @Override
  public void close() {
    end(new FeedEnd(FeedEnd.Reason.CLOSED, "the reader was closed"));
    hub.remove(this, request.hasValues());
  }
}
