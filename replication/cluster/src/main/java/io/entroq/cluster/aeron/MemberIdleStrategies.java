package io.entroq.cluster.aeron;

import io.aeron.Aeron;
import io.aeron.cluster.service.SnapshotDurationTracker;

/**
 * The idle strategies of a member's components. A command passes through a dozen threads before a
 * majority has it; each thread that has done work wakes the ones that continue with it, so that
 * none has to poll at a high rate.
 *
 * <p>Network input wakes no thread. The media driver polls for it often while commands arrive.
 *
 * <p>A snapshot takes some twenty steps, each of which waits for another thread, and no command is
 * applied meanwhile. So all threads poll often while one is taken.
 */
public final class MemberIdleStrategies {
  private static final long CLIENT_SLEEP_NS_MAX = Aeron.Configuration.idleSleepDurationNs();

  private final RecentActivity activity = new RecentActivity(System::nanoTime);
  private final RecentActivity snapshots = new RecentActivity(System::nanoTime);
  private final WakeableIdleStrategy driver = forNetwork();
  private final WakeableIdleStrategy archive = forSnapshots();
  private final WakeableIdleStrategy consensus = forSnapshots();
  private final WakeableIdleStrategy service = forSnapshots();

  /** It has work only when a stream begins or ends, as at a snapshot. */
  private final WakeableIdleStrategy serviceClient =
      new WakeableIdleStrategy(snapshots::isActive, CLIENT_SLEEP_NS_MAX);

  /**
   * @param isResponding whether the service replies over sessions
   */
  public MemberIdleStrategies(boolean isResponding) {
    driver.onWork(
        () -> {
          archive.wake();
          consensus.wake();
        });
    archive.onWork(consensus::wake);
    consensus.onWork(
        () -> {
          driver.wake();
          archive.wake();
          service.wake();
        });
    service.onWork(isResponding ? this::onSent : activity::note);
  }

  public WakeableIdleStrategy driver() {
    return driver;
  }

  public WakeableIdleStrategy archive() {
    return archive;
  }

  public WakeableIdleStrategy consensus() {
    return consensus;
  }

  public WakeableIdleStrategy service() {
    return service;
  }

  /** For the thread of the service container's client, which learns of streams there. */
  public WakeableIdleStrategy serviceClient() {
    return serviceClient;
  }

  /** A new strategy for a thread that waits for network input. */
  public WakeableIdleStrategy forNetwork() {
    return new WakeableIdleStrategy(() -> activity.isActive() || snapshots.isActive());
  }

  /** A new strategy for a thread that waits for the member's other threads. */
  public WakeableIdleStrategy forSnapshots() {
    return new WakeableIdleStrategy(snapshots::isActive);
  }

  /** The consensus module's tracker of snapshots, by which the threads know of them. */
  public SnapshotDurationTracker snapshotTracker() {
    return new SnapshotDurationTracker(null, null, Long.MAX_VALUE) {
      @Override
      public void onSnapshotBegin(long timeNanos) {
        snapshots.note();
        driver.wake();
        archive.wake();
        service.wake();
        serviceClient.wake();
      }

      @Override
      public void onSnapshotEnd(long timeNanos) {
        // They poll less often after a tenth of a second.
      }
    };
  }

  /** Wakes the driver to send a message at once. Any thread. */
  public void onSent() {
    activity.note();
    driver.wake();
  }
}
