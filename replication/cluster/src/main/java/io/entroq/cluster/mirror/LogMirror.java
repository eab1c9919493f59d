package io.entroq.cluster.mirror;

import io.entroq.cluster.image.PendingImage;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.state.StateMachine;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;

/**
 * A mirror in the format of an engine's log.
 *
 * <p>It starts {@link MirrorState#PROVING}: it compares the records that it has with those that
 * come again, and then becomes {@link MirrorState#FOLLOWING}. If its queue is full or the disk
 * refuses, it is {@link MirrorState#OUT}: its content has no gap but does not grow. It restarts
 * with a snapshot of the state and that state's last record, after a pause that doubles each time,
 * or when the cluster takes a snapshot.
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
  private final AtomicLong restarts = new AtomicLong();
  private StateMachine machine;
  private MirrorSnapshots snapshots;
  private boolean isEnded;

  /** While the mirror is out: what is wrong with its content; null if it is only old. */
  private String fault;

  private volatile MirrorState state = MirrorState.PROVING;
  private volatile CommandLog log;

  private LogMirror(MirrorStore store, MirrorVerifier verifier, MirrorConfig config) {
    this.store = store;
    this.verifier = verifier;
    queue = new MirrorQueue(config.queueBytes());
    writer = new MirrorWriter(store, queue);
  }

  static Mirror start(MirrorStore store, MirrorVerifier verifier, MirrorConfig config) {
    LogMirror mirror = new LogMirror(store, verifier, config);
    mirror.writer.start();
    return mirror;
  }

  @Override
  public CommandLog begin(StateMachine newMachine) {
    machine = newMachine;
    snapshots = new MirrorSnapshots(newMachine, store.ids());
    if (store.ids() != null) {
      store.ids().begin(newMachine);
    }
    long sequence = newMachine.sequence();
    if (verifier.isEmpty()) {
      if (sequence == 0) {
        follow();
      } else {
        // The earlier records are missing.
        restartNow(null);
      }
    } else if (sequence > verifier.snapshotSequence()) {
      restartNow(
          "the cluster's log begins after record %,d, and there is no mirror snapshot at that record"
              .formatted(sequence));
    } else if (sequence == verifier.snapshotSequence() && !isSameState()) {
      restartNow("its snapshot at record %,d differs from the cluster's".formatted(sequence));
    }
    log = new NotifyingLog(sequence, this::onRecord);
    return log;
  }

  private boolean isSameState() {
    return verifier.isSameState(machine.historyDigest(), machine.contentDigest());
  }

  /** Called before the record is applied, so the state is still that of the previous one. */
  private void onRecord(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    if (state == MirrorState.PROVING) {
      verify(type, sequence, logTimeMs, payloadCrc);
    }
    if (state == MirrorState.FOLLOWING) {
      int tag = MirrorQueue.tag(sequence, logTag());
      if (writer.hasFailed()) {
        dropOutForDisk();
      } else if (!queue.offer(
          false, type, tag, sequence, logTimeMs, payloadCrc, payload, offset, length)) {
        dropOut(
            "its queue is full, %,d bytes wait to be written".formatted(queue.bytes() + length));
      }
    }
    if (state == MirrorState.OUT) {
      last.keep(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
    }
  }

  private int logTag() {
    return (int) machine.logIdLow();
  }

  private void verify(int type, long sequence, long logTimeMs, int payloadCrc) {
    if (sequence == verifier.snapshotSequence() + 1 && !isSameState()) {
      restartNow("its snapshot at record %,d differs from the cluster's".formatted(sequence - 1));
    } else if (sequence > verifier.lastSequence()) {
      follow();
    } else if (sequence > verifier.snapshotSequence()
        && !verifier.isSameRecord(sequence, type, logTimeMs, payloadCrc)) {
      restartNow(
          "its records %,d to %,d are not in the cluster's log"
              .formatted(sequence, verifier.lastSequence()));
    }
  }

  /** The content on disk has been verified. */
  private void follow() {
    writer.continueAfter(verifier.lastSequence());
    snapshots.continueAfter(verifier.snapshotSequence());
    verifier.clear();
    state = MirrorState.FOLLOWING;
  }

  /**
   * Goes out, and restarts at once.
   *
   * @param contentFault what is wrong with the content on disk; null if it is only old
   */
  private void restartNow(String contentFault) {
    fault = contentFault;
    backoff.clear();
    state = MirrorState.OUT;
  }

  private void dropOutForDisk() {
    dropOut("the disk has refused a write");
  }

  /** Goes out, and restarts after a pause. */
  private void dropOut(String reason) {
    restartNow(null);
    dropouts.incrementAndGet();
    long seconds = backoff.start();
    LOGGER.log(
        Level.WARNING,
        "The mirror drops out at record %,d and restarts in %,d s, or with the next snapshot: %s"
            .formatted(log.appendedSequence() + 1, seconds, reason));
  }

  @Override
  public int doWork() {
    if (isEnded || log == null) {
      return 0;
    }
    int done = 0;
    if (snapshots.thawIfRead()) {
      done++;
    }
    if (snapshots.isDone()) {
      finishSnapshot();
      done++;
    }
    if (state == MirrorState.FOLLOWING && writer.hasFailed()) {
      dropOutForDisk();
    }
    if (state == MirrorState.FOLLOWING && snapshots.begin(writer)) {
      done++;
    }
    if (state == MirrorState.OUT && backoff.isOver() && canRestart()) {
      restart();
      done++;
    }
    return done;
  }

  private void finishSnapshot() {
    if (!snapshots.finish() && state == MirrorState.FOLLOWING) {
      dropOut("its first snapshot failed");
    }
  }

  /** Whether the state's last record is known, and all earlier work is finished. */
  private boolean canRestart() {
    return !snapshots.isBusy() && last.isLastOf(machine.sequence()) && queue.bytes() == 0;
  }

  private void restart() {
    writer.restart(snapshots.freezeForRestart(), fault);
    if (last.offerTo(queue, logTag())) {
      fault = null;
      restarts.incrementAndGet();
      state = MirrorState.FOLLOWING;
    } else {
      // The record is too long for the queue: restart with the next one.
      writer.undoRestart();
      snapshots.undoRestart();
      last.forget();
    }
  }

  @Override
  public void yieldState() {
    snapshots.yieldState();
  }

  @Override
  public void onSnapshot(PendingImage image) {
    if (state == MirrorState.PROVING
        && machine.sequence() == verifier.lastSequence()
        && (machine.sequence() > verifier.snapshotSequence() || isSameState())) {
      follow();
    } else if (state == MirrorState.PROVING) {
      restartNow(
          "it has records up to %,d, but the cluster has only come to record %,d"
              .formatted(verifier.lastSequence(), machine.sequence()));
    }
    if (state == MirrorState.FOLLOWING) {
      snapshots.request(image);
    } else {
      backoff.reset();
    }
    if (image == null) {
      doWork();
    }
  }

  @Override
  public synchronized void end(boolean isSound) {
    isEnded = true;
    if (snapshots != null) {
      if (isSound && state == MirrorState.FOLLOWING) {
        snapshots.share(writer);
      }
      snapshots.end(isSound);
    }
  }

  @Override
  public long foundLogTimeMs() {
    return store.foundLogTimeMs();
  }

  @Override
  public MirrorStats stats() {
    CommandLog open = log;
    long written = writer.writtenSequence();
    long lag = open == null || written == 0 ? 0 : open.appendedSequence() - written;
    return new MirrorStats(
        state, written, queue.bytes(), Math.max(0, lag), dropouts.get(), restarts.get());
  }

  @Override
  public void close() {
    writer.close();
  }
}
