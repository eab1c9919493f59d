package io.entroq.cluster.mirror;

import io.entroq.engine.log.CommandLog;
import io.entroq.engine.state.StateMachine;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;

/**
 * The mirror in the format of an engine's log.
 *
 * <p>It goes from {@link MirrorState#PROVING}, where it looks on while the records that it holds
 * come once more, to {@link MirrorState#FOLLOWING}. When its queue is full or the disk refuses, it
 * is {@link MirrorState#OUT}: what it holds is a beginning that grows no more. From there it begins
 * anew with a snapshot of the state and the record that has led to that, after a pause that
 * doubles, or when the cluster takes a snapshot.
 */
final class LogMirror implements Mirror {
  private static final Logger LOGGER = System.getLogger(Mirror.class.getName());

  private final MirrorStore store;
  private final MirrorQueue queue;
  private final MirrorWriter writer;
  private final MirrorVerifier verifier;
  private final LastRecord last = new LastRecord();
  private final RestartBackoff backoff = new RestartBackoff();
  private final AtomicLong dropouts = new AtomicLong();
  private final AtomicLong seeds = new AtomicLong();
  private StateMachine machine;
  private MirrorSnapshots snapshots;
  private boolean isEnded;

  /** What is wrong with what is on the disk, while it is out; null: nothing but that it is old. */
  private String reason;

  private volatile MirrorState state = MirrorState.PROVING;
  private volatile CommandLog log;

  private LogMirror(MirrorStore store, MirrorVerifier verifier, MirrorConfig config) {
    this.store = store;
    this.verifier = verifier;
    queue = new MirrorQueue(config.queueBytes());
    writer = new MirrorWriter(store, queue);
  }

  /**
   * @param verifier what was found there
   */
  static Mirror start(MirrorStore store, MirrorVerifier verifier, MirrorConfig config) {
    LogMirror mirror = new LogMirror(store, verifier, config);
    mirror.writer.start();
    return mirror;
  }

  @Override
  public CommandLog begin(StateMachine begun) {
    machine = begun;
    snapshots = new MirrorSnapshots(begun);
    long sequence = begun.sequence();
    if (verifier.isEmpty()) {
      if (sequence == 0) {
        follow();
      } else {
        // The records before are not there to be written.
        leave(null);
      }
    } else if (sequence > verifier.snapshotSequence()) {
      leave(
          "the cluster's log begins behind record %,d, and there is no snapshot of that place"
              .formatted(sequence));
    } else if (sequence == verifier.snapshotSequence() && !isSameState()) {
      leave("its snapshot at record %,d is not the cluster's".formatted(sequence));
    }
    log = new NotifyingLog(sequence, this::onRecord);
    return log;
  }

  private boolean isSameState() {
    return verifier.isSameState(machine.historyDigest(), machine.contentDigest());
  }

  /** A record is about to be applied, so the state is still that of the one before. */
  private void onRecord(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    if (state == MirrorState.PROVING) {
      prove(type, sequence, logTimeMs, payloadCrc);
    }
    if (state == MirrorState.FOLLOWING) {
      int tag = MirrorQueue.tag(sequence, logTag());
      if (writer.hasFailed()) {
        dropOutOfDisk();
      } else if (!queue.offer(
          false, type, tag, sequence, logTimeMs, payloadCrc, payload, offset, length)) {
        dropOut(
            "%,d bytes are to be written, more than the queue has room for"
                .formatted(queue.bytes() + length));
      }
    }
    if (state == MirrorState.OUT) {
      last.keep(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
    }
  }

  private int logTag() {
    return (int) machine.logIdLow();
  }

  private void prove(int type, long sequence, long logTimeMs, int payloadCrc) {
    if (sequence == verifier.snapshotSequence() + 1 && !isSameState()) {
      leave("its snapshot at record %,d is not the cluster's".formatted(sequence - 1));
    } else if (sequence > verifier.lastSequence()) {
      follow();
    } else if (sequence > verifier.snapshotSequence()
        && !verifier.isSameRecord(sequence, type, logTimeMs, payloadCrc)) {
      leave(
          "its record %,d is not the cluster's, which knows nothing of those from there up to %,d"
              .formatted(sequence, verifier.lastSequence()));
    }
  }

  /** What is on the disk has been shown to be the cluster's. */
  private void follow() {
    writer.found(verifier.lastSequence());
    snapshots.found(verifier.snapshotSequence());
    verifier.forget();
    state = MirrorState.FOLLOWING;
  }

  /** It is out, and begins anew at once. */
  private void leave(String why) {
    reason = why;
    backoff.now();
    state = MirrorState.OUT;
  }

  private void dropOutOfDisk() {
    dropOut("the disk has refused what was to be written");
  }

  /** It is out, and begins anew after a pause. */
  private void dropOut(String why) {
    leave(null);
    dropouts.incrementAndGet();
    long seconds = backoff.later();
    LOGGER.log(
        Level.WARNING,
        "The mirror drops out at record %,d and begins anew in %,d s, or with the next snapshot: %s"
            .formatted(log.appendedSequence() + 1, seconds, why));
  }

  @Override
  public int doWork() {
    if (isEnded || log == null) {
      return 0;
    }
    int done = 0;
    if (snapshots.thawIfFree()) {
      done++;
    }
    if (snapshots.isDone()) {
      settle();
      done++;
    }
    if (state == MirrorState.FOLLOWING && writer.hasFailed()) {
      dropOutOfDisk();
    }
    if (state == MirrorState.FOLLOWING && snapshots.begin(writer)) {
      done++;
    }
    if (state == MirrorState.OUT && backoff.isDue() && canSeed()) {
      seed();
      done++;
    }
    return done;
  }

  private void settle() {
    if (!snapshots.settle() && state == MirrorState.FOLLOWING) {
      dropOut("it has no snapshot to begin with");
    }
  }

  /** Whether there is a record to begin with, and nothing of before is under way. */
  private boolean canSeed() {
    return !snapshots.isBusy() && last.hasLedTo(machine.sequence()) && queue.bytes() == 0;
  }

  private void seed() {
    writer.seed(snapshots.freezeForSeed(), reason);
    if (last.offerTo(queue, logTag())) {
      reason = null;
      seeds.incrementAndGet();
      state = MirrorState.FOLLOWING;
    } else {
      // It is longer than the queue has room for: with the next one, then.
      writer.takeSeedBack();
      snapshots.takeBack();
      last.forget();
    }
  }

  @Override
  public void yieldState() {
    snapshots.yieldState();
  }

  @Override
  public void onSnapshot() {
    if (state == MirrorState.PROVING
        && machine.sequence() == verifier.lastSequence()
        && (machine.sequence() > verifier.snapshotSequence() || isSameState())) {
      follow();
    } else if (state == MirrorState.PROVING) {
      leave(
          "it holds records up to %,d, and the cluster has taken a snapshot at record %,d without"
                  .formatted(verifier.lastSequence(), machine.sequence())
              + " knowing them");
    }
    if (state == MirrorState.FOLLOWING) {
      snapshots.want();
    } else {
      backoff.reset();
    }
    doWork();
  }

  @Override
  public synchronized void end(boolean isSound) {
    isEnded = true;
    if (snapshots != null) {
      snapshots.end(isSound);
    }
  }

  @Override
  public long foundLogTimeMs() {
    return store.foundLogTimeMs();
  }

  @Override
  public MirrorStats stats() {
    CommandLog told = log;
    long written = writer.writtenSequence();
    long lag = told == null || written == 0 ? 0 : told.appendedSequence() - written;
    return new MirrorStats(
        state, written, queue.bytes(), Math.max(0, lag), dropouts.get(), seeds.get());
  }

  @Override
  public void close() {
    writer.close();
  }
}
