package io.entroq.cluster.mirror;

import io.entroq.codec.record.RecordFrame;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.CountedLog;
import io.entroq.engine.log.DirectoryLock;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.LogProgress;
import io.entroq.engine.log.RunOpener;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.state.StateMachine;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

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
  private static final long PAUSE_NS_LEAST = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NS_MOST = TimeUnit.MINUTES.toNanos(10);
  private static final Duration END_PATIENCE = Duration.ofSeconds(10);

  private final MirrorStore store;
  private final MirrorQueue queue;
  private final MirrorWriter writer;
  private final MirrorProof proof;

  /** The record that was applied last, kept while it is not put into the queue. */
  private final ExpandableArrayBuffer last = new ExpandableArrayBuffer();

  private int lastType;
  private long lastSequence;
  private long lastTimeMs;
  private int lastCrc;
  private int lastLength;

  private StateMachine machine;
  private MirrorSnapshot snapshot;
  private boolean isSnapshotDue;

  /** Of the newest one that is good; 0: there is none. */
  private long snapshotSequence;

  private boolean isEnded;

  /** What is wrong with what is on the disk, while it is out; null: nothing but that it is old. */
  private String reason;

  private long pauseNs = PAUSE_NS_LEAST;
  private long seedNs;
  private volatile MirrorState state = MirrorState.PROVING;
  private volatile CommandLog log;
  private final AtomicLong dropouts = new AtomicLong();
  private final AtomicLong seeds = new AtomicLong();

  private LogMirror(MirrorStore store, MirrorProof proof, MirrorConfig config) {
    this.store = store;
    this.proof = proof;
    queue = new MirrorQueue(config.queueBytes());
    writer = new MirrorWriter(store, queue);
  }

  static Mirror open(Path directory, DirectoryLock lock, MirrorConfig config) {
    return open(directory, lock, config, ChronicleLog.RUNS);
  }

  /**
   * @param runs what holds the bytes of the log
   */
  static Mirror open(Path directory, DirectoryLock lock, MirrorConfig config, RunOpener runs) {
    MirrorStore store = new MirrorStore(directory, lock, runs, config);
    try {
      LogMirror mirror = new LogMirror(store, verify(store, directory), config);
      mirror.writer.start();
      return mirror;
    } catch (LogException e) {
      LOGGER.log(Level.WARNING, "There will be no mirror: " + e.getMessage());
      return Mirror.none();
    }
  }

  private static MirrorProof verify(MirrorStore store, Path directory) {
    try {
      return store.verify();
    } catch (LogException e) {
      Path place = store.setAside();
      LOGGER.log(
          Level.WARNING,
          "The mirror in %s is damaged, was set aside in %s, and begins anew: %s"
              .formatted(directory.toAbsolutePath(), place, e.getMessage()));
      store.renew();
      return new MirrorProof(null);
    }
  }

  /** What the applying thread tells of each record. */
  private final class Log extends CountedLog {
    private static final int PAYLOAD_BYTES_MAX = LogConfig.PAYLOAD_BYTES_MAX_DEFAULT;

    Log(long sequence) {
      super(new LogProgress(sequence, sequence));
    }

    @Override
    public void append(
        int type,
        long sequence,
        long logTimeMs,
        int payloadCrc,
        DirectBuffer payload,
        int offset,
        int length) {
      progress.requireAppendable(sequence, length, PAYLOAD_BYTES_MAX);
      onRecord(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
      progress.onAppended(sequence, RecordFrame.HEADER_BYTES + length);
      progress.onForced(sequence, progress.appendedBytes());
    }

    @Override
    public void force() {
      // What has to last is in the log of the cluster.
    }
  }

  @Override
  public CommandLog begin(StateMachine begun) {
    machine = begun;
    long sequence = begun.sequence();
    if (proof.isEmpty()) {
      if (sequence == 0) {
        follow();
      } else {
        // The records before are not there to be written.
        leave(null);
      }
    } else if (sequence > proof.snapshotSequence()) {
      leave(
          "the cluster's log begins behind record %,d, and there is no snapshot of that place"
              .formatted(sequence));
    } else if (sequence == proof.snapshotSequence() && !isSameState()) {
      leave("its snapshot at record %,d is not the cluster's".formatted(sequence));
    }
    log = new Log(sequence);
    return log;
  }

  private boolean isSameState() {
    return proof.isSameState(machine.historyDigest(), machine.contentDigest());
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
      if (writer.hasFailed()) {
        dropOutOfDisk();
      } else if (!offer(false, type, sequence, logTimeMs, payloadCrc, payload, offset, length)) {
        dropOut(
            "%,d bytes are to be written, more than the queue has room for"
                .formatted(queue.bytes() + length));
      }
    }
    if (state == MirrorState.OUT) {
      keep(type, sequence, logTimeMs, payloadCrc, payload, offset, length);
    }
  }

  private void prove(int type, long sequence, long logTimeMs, int payloadCrc) {
    if (sequence == proof.snapshotSequence() + 1 && !isSameState()) {
      leave("its snapshot at record %,d is not the cluster's".formatted(sequence - 1));
    } else if (sequence > proof.lastSequence()) {
      follow();
    } else if (sequence > proof.snapshotSequence()
        && !proof.isSameRecord(sequence, type, logTimeMs, payloadCrc)) {
      leave(
          "its record %,d is not the cluster's, which knows nothing of those from there up to %,d"
              .formatted(sequence, proof.lastSequence()));
    }
  }

  /** What is on the disk has been shown to be the cluster's. */
  private void follow() {
    writer.found(proof.lastSequence());
    snapshotSequence = proof.snapshotSequence();
    proof.forget();
    state = MirrorState.FOLLOWING;
  }

  private boolean offer(
      boolean isSeed,
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    int logTag = sequence == 1 ? 0 : (int) machine.logIdLow();
    return queue.offer(
        isSeed, type, logTag, sequence, logTimeMs, payloadCrc, payload, offset, length);
  }

  private void keep(
      int type,
      long sequence,
      long logTimeMs,
      int payloadCrc,
      DirectBuffer payload,
      int offset,
      int length) {
    lastType = type;
    lastSequence = sequence;
    lastTimeMs = logTimeMs;
    lastCrc = payloadCrc;
    lastLength = length;
    last.putBytes(0, payload, offset, length);
  }

  /** It is out, and begins anew at once. */
  private void leave(String why) {
    reason = why;
    seedNs = System.nanoTime();
    state = MirrorState.OUT;
  }

  private void dropOutOfDisk() {
    dropOut("the disk has refused what was to be written");
  }

  /** It is out, and begins anew after a pause. */
  private void dropOut(String why) {
    leave(null);
    dropouts.incrementAndGet();
    seedNs += pauseNs;
    LOGGER.log(
        Level.WARNING,
        "The mirror drops out at record %,d and begins anew in %,d s, or with the next snapshot: %s"
            .formatted(log.appendedSequence() + 1, TimeUnit.NANOSECONDS.toSeconds(pauseNs), why));
    pauseNs = Math.min(2 * pauseNs, PAUSE_NS_MOST);
  }

  @Override
  public int doWork() {
    if (isEnded) {
      return 0;
    }
    int done = 0;
    if (snapshot != null && snapshot.isDone()) {
      thaw();
      done++;
    }
    if (state == MirrorState.FOLLOWING && writer.hasFailed()) {
      dropOutOfDisk();
    }
    if (state == MirrorState.FOLLOWING && isSnapshotDue && snapshot == null) {
      takeSnapshot();
      done++;
    }
    if (state == MirrorState.OUT && System.nanoTime() - seedNs >= 0 && canSeed()) {
      seed();
      done++;
    }
    return done;
  }

  private void thaw() {
    MirrorSnapshot old = snapshot;
    snapshot = null;
    machine.thaw();
    if (old.isGood()) {
      snapshotSequence = old.sequence();
    } else if (old.isAbandoned()) {
      isSnapshotDue = true;
    } else if (old.isSeed() && state == MirrorState.FOLLOWING) {
      dropOut("it has no snapshot to begin with");
    }
  }

  private void takeSnapshot() {
    isSnapshotDue = false;
    if (snapshotSequence < machine.sequence()) {
      snapshot = new MirrorSnapshot(machine.freeze(), false);
      writer.snapshot(snapshot);
    }
  }

  /** Whether there is a record to begin with, and nothing of before is under way. */
  private boolean canSeed() {
    return snapshot == null
        && lastSequence > 0
        && lastSequence == machine.sequence()
        && queue.bytes() == 0;
  }

  private void seed() {
    snapshot = new MirrorSnapshot(machine.freeze(), true);
    writer.seed(snapshot, reason);
    if (offer(true, lastType, lastSequence, lastTimeMs, lastCrc, last, 0, lastLength)) {
      reason = null;
      isSnapshotDue = false;
      seeds.incrementAndGet();
      state = MirrorState.FOLLOWING;
    } else {
      // It is longer than the queue has room for: with the next one, then.
      writer.takeSeedBack();
      snapshot.release();
      snapshot = null;
      machine.thaw();
      lastSequence = 0;
    }
  }

  @Override
  public void yieldState() {
    if (snapshot != null) {
      snapshot.abandon();
      snapshot.await();
      thaw();
    }
  }

  @Override
  public void onSnapshot() {
    if (state == MirrorState.PROVING
        && machine.sequence() == proof.lastSequence()
        && (machine.sequence() > proof.snapshotSequence() || isSameState())) {
      follow();
    } else if (state == MirrorState.PROVING) {
      leave(
          "it holds records up to %,d, and the cluster has taken a snapshot at record %,d without"
                  .formatted(proof.lastSequence(), machine.sequence())
              + " knowing them");
    }
    if (state == MirrorState.FOLLOWING) {
      isSnapshotDue = true;
    } else {
      seedNs = System.nanoTime();
      pauseNs = PAUSE_NS_LEAST;
    }
    doWork();
  }

  @Override
  public synchronized void end(boolean isSound) {
    isEnded = true;
    MirrorSnapshot old = snapshot;
    if (old == null) {
      return;
    }
    if (!isSound || !old.await(END_PATIENCE)) {
      old.abandon();
      old.await();
    }
    snapshot = null;
    machine.thaw();
  }

  @Override
  public long foundLogTimeMs() {
    return store.foundLogTimeMs();
  }

  @Override
  public MirrorFigures figures() {
    CommandLog told = log;
    long written = writer.writtenSequence();
    long lag = told == null || written == 0 ? 0 : told.appendedSequence() - written;
    return new MirrorFigures(
        state, written, queue.bytes(), Math.max(0, lag), dropouts.get(), seeds.get());
  }

  @Override
  public void close() {
    writer.close();
  }
}
