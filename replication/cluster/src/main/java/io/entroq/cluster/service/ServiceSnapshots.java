package io.entroq.cluster.service;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.service.Cluster;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.image.ImageTaker;
import io.entroq.cluster.image.PendingImage;
import io.entroq.cluster.mirror.Mirror;
import io.entroq.codec.snapshot.SnapshotSource;
import io.entroq.engine.log.LogException;
import io.entroq.engine.replica.Applier;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import java.time.Duration;
import java.util.Optional;
import org.agrona.ExpandableArrayBuffer;

/** The snapshots of a member's service. Applying thread, except where noted. */
final class ServiceSnapshots {
  /** How long a snapshot waits for the image of the one before. */
  private static final Duration THAW_MAX = Duration.ofSeconds(1);

  /** The same for the last snapshot, when all members stop, and how long its image may take. */
  private static final Duration STOP_IMAGE_TIMEOUT = Duration.ofMinutes(10);

  private final ReplicatedEngine engine;
  private final Applier applier;
  private final SnapshotReports reports;
  private final Mirror mirror;
  private final ImageStore store;
  private final SnapshotMeter meter = new SnapshotMeter();
  private final ImageTaker images;
  private Cluster cluster;

  /** Set while a snapshot reads the state. Aeron then calls background work while it idles. */
  private boolean isTaking;

  /** The image of the newest snapshot that was taken here; null if there is none. */
  private PendingImage image;

  /** Of that snapshot. */
  private long position;

  /** Whether all members stop with the next snapshot. */
  private boolean isLast;

  ServiceSnapshots(
      ReplicatedEngine engine, SnapshotReports reports, Mirror mirror, ImageStore store) {
    this.engine = engine;
    this.applier = engine.applier();
    this.reports = reports;
    this.mirror = mirror;
    this.store = store;
    images = new ImageTaker(store, meter);
  }

  void onStart(Cluster started) {
    cluster = started;
  }

  /** The cluster is closed, so the next snapshot is the last one. */
  void onClosed() {
    isLast = true;
  }

  /** Statistics. Any thread. */
  SnapshotMeter meter() {
    return meter;
  }

  /** Whether the image of a snapshot is being written. Any thread. */
  boolean isWritingImage() {
    return images.isBusy();
  }

  /** Begins with the state of a snapshot. */
  void load(Image snapshotImage) {
    SnapshotReceiver snapshot = new SnapshotReceiver(store);
    StateMachine machine = snapshot.receive(snapshotImage, cluster.idleStrategy());
    meter.onLoaded(machine.sequence(), snapshot.bytes());
    applier.begin(machine, snapshot.hosts(), mirror.begin(machine));
    reports.onOwnSnapshot(cluster.logPosition(), StateDigest.of(machine));
  }

  /**
   * Takes a snapshot.
   *
   * @throws SnapshotException if that is not possible; the state is unchanged
   */
  void take(ExclusivePublication publication) {
    SnapshotSpaceGuard space = new SnapshotSpaceGuard(engine.space()::usableBytes);
    space.require(0);
    mirror.yieldState();
    isTaking = true;
    try {
      awaitThawed();
      StateMachine machine = applier.machine();
      reports.onOwnSnapshot(cluster.logPosition(), StateDigest.of(machine));
      PendingImage next = null;
      if (machine.level() >= Levels.IMAGES) {
        next = refer(machine, publication, space);
      } else {
        send(machine, publication, space);
      }
      mirror.onSnapshot(next);
      image = next;
      position = cluster.logPosition();
    } finally {
      isTaking = false;
    }
  }

  /**
   * A leader takes no snapshot while it writes an image, but a slower follower may still do so. The
   * last snapshot has no later one in its place.
   */
  private void awaitThawed() {
    long endNs = System.nanoTime() + (isLast ? STOP_IMAGE_TIMEOUT : THAW_MAX).toNanos();
    images.thawIfRead();
    while (images.isFrozen()) {
      if (System.nanoTime() - endNs > 0) {
        throw new SnapshotException(
            "no snapshot was taken: the image of the one before is still being written");
      }
      cluster.idleStrategy().idle();
      images.thawIfRead();
    }
  }

  /** The image is written while commands continue. */
  private PendingImage refer(
      StateMachine machine, ExclusivePublication publication, SnapshotSpaceGuard space) {
    PendingImage next;
    try {
      next = images.begin(machine, cluster.logPosition());
    } catch (LogException e) {
      throw new SnapshotException(e.getMessage());
    }
    sender(publication, space, next.state()).refer();
    return next;
  }

  private void send(
      StateMachine machine, ExclusivePublication publication, SnapshotSpaceGuard space) {
    FrozenState frozen = machine.freeze();
    try {
      SnapshotSender sender = sender(publication, space, frozen);
      sender.send();
      meter.onSent(frozen.sequence(), sender.bytes());
    } finally {
      frozen.release();
      machine.thaw();
    }
  }

  private SnapshotSender sender(
      ExclusivePublication publication, SnapshotSpaceGuard space, SnapshotSource state) {
    ExpandableArrayBuffer hosts = new ExpandableArrayBuffer();
    int hostsBytes = applier.holders().write(hosts, applier.machine());
    return new SnapshotSender(
        (head, at, headBytes, rest, offset, length) -> {
          space.require((long) headBytes + length);
          return publication.offer(head, at, headBytes, rest, offset, length);
        },
        publication.maxPayloadLength(),
        cluster.idleStrategy(),
        state,
        hosts,
        hostsBytes);
  }

  /**
   * Thaws the state if the image has been read.
   *
   * @return whether it was thawed
   */
  boolean thawIfRead() {
    return images.thawIfRead();
  }

  /** Whether a snapshot or its image needs the state, which nothing else may freeze then. */
  boolean needsState() {
    return isTaking || images.isFrozen();
  }

  /**
   * Ends when the service does, and completes the image of the last snapshot.
   *
   * @param end the applied position of the log
   * @param isSound whether to complete images; otherwise they are abandoned
   * @return the state with whose snapshot and image all members stop here; empty without these
   */
  Optional<StateDigest> end(long end, boolean isSound) {
    boolean isStop = isLast && image != null && position == end;
    endImages(isSound, isStop ? STOP_IMAGE_TIMEOUT : ImageTaker.END_TIMEOUT);
    return isStop && image.written().isPresent()
        ? Optional.of(StateDigest.ofFrozen(image.state()))
        : Optional.empty();
  }

  /** Ends images in progress. See {@link ImageTaker#end} for threads and parameters. */
  void endImages(boolean isSound, Duration timeout) {
    images.end(isSound, timeout);
  }
}
