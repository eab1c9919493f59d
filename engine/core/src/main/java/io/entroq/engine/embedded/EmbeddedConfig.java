package io.entroq.engine.embedded;

import io.entroq.api.Durability;
import io.entroq.codec.wire.Limits;
import io.entroq.engine.feed.FeedHub;
import io.entroq.engine.gateway.GatewayLimits;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.engine.history.ReplayWatch;
import io.entroq.engine.local.CallerBounds;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.engine.maintenance.MaintenanceConfig;
import io.entroq.engine.runtime.MemoryBound;
import io.entroq.engine.runtime.MemoryShares;
import io.entroq.engine.space.DiskSpace;
import io.entroq.engine.space.SpaceFloors;
import io.entroq.engine.space.SpaceGuard;
import io.entroq.engine.time.LogClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The configuration of an engine in this process. Immutable; built by {@link #in} or {@link
 * #inMemory}.
 *
 * <p>Every limit has a default that suits a process with a heap of a gigabyte.
 */
public final class EmbeddedConfig {
  private static final int SLOTS_MAX = 1 << 20;

  private final Builder values;

  private EmbeddedConfig(Builder builder) {
    values = builder.copy();
  }

  /** Configures an engine with its log in a directory, which is created if needed. */
  public static Builder in(Path directory) {
    return new Builder(Optional.of(directory));
  }

  /** Configures an engine in memory, which keeps nothing when it is closed. */
  public static Builder inMemory() {
    return new Builder(Optional.empty());
  }

  /** The directory of the log; empty: none. */
  public Optional<Path> directory() {
    return values.directory;
  }

  /** What a reply promises. */
  public Durability durability() {
    return values.durability;
  }

  /** Size of a segment of the log, in bytes. */
  public int segmentBytes() {
    return values.segmentBytes;
  }

  /** The largest value of a task, in bytes. */
  public int valueBytesMax() {
    return values.valueBytesMax;
  }

  /** The largest command, in bytes as encoded. */
  public int commandBytesMax() {
    return values.commandBytesMax;
  }

  /** Most requests in flight, without waiting claims. */
  public int requestsInFlightMax() {
    return values.requestsInFlightMax;
  }

  /** Most bytes of requests in flight that are not small, together. */
  public long bytesInFlightMax() {
    return values.bytesInFlightMax;
  }

  /** Most claims that wait at once. */
  public int waitingClaimsMax() {
    return values.waitingClaimsMax;
  }

  /** Most bytes in the log that are not forced yet, at durability {@code DISK}. */
  public long unforcedBytesMax() {
    return values.unforcedBytesMax;
  }

  /** Most bytes of memory outside the heap for tasks before inserts are refused. */
  public long memoryBytesMax() {
    if (values.memoryBytesMax > 0) {
      return values.memoryBytesMax;
    }
    boolean isAlone = values.readOnly || values.asOf != null;
    return isAlone ? shares().all() : shares().tasks(replayBytesMax());
  }

  /** Most bytes of memory outside the heap for the states of those who read history. */
  public long replayBytesMax() {
    if (values.replayBytesMax >= 0) {
      return values.replayBytesMax;
    }
    if (values.directory.isEmpty()) {
      return 0;
    }
    return values.memoryBytesMax > 0
        ? shares().replaysBeside(values.memoryBytesMax)
        : shares().replays();
  }

  private static MemoryShares shares() {
    return new MemoryShares(MemoryBound.directBytes(), FeedHub.RING_BYTES);
  }

  /** Most tasks of a queue; 0: any number. */
  public long queueTasksMax() {
    return values.queueTasksMax;
  }

  /** Most policies, and most limiters; 0: any number. */
  public int policiesMax() {
    return values.policiesMax;
  }

  /** Free bytes that the disk must have for inserts; 0: as for other changes. */
  public long diskLowBytes() {
    return values.diskLowBytes;
  }

  /** Free bytes that the disk must have for changes; 0: none. */
  public long diskFullBytes() {
    return values.diskFullBytes;
  }

  /**
   * Watches the free space of a disk; internal.
   *
   * @param directory exists
   * @param nanoTime as {@link System#nanoTime()}
   */
  public SpaceGuard spaceGuard(Path directory, LongSupplier nanoTime) {
    return new SpaceGuard(directory, values.diskSpace, values.spaceFloors(), nanoTime);
  }

  /** The limits for callers; internal. */
  public CallerBounds callerBounds() {
    return new CallerBounds(
        values.requestsInFlightMax,
        values.waitingClaimsMax,
        values.bytesInFlightMax,
        values.roomTimeout,
        values.listingBytesMax,
        new GatewayLimits(
            values.valueBytesMax,
            values.commandBytesMax,
            values.queueTasksMax,
            values.policiesMax));
  }

  /** How long a caller waits for room at a limit. */
  public Duration roomTimeout() {
    return values.roomTimeout;
  }

  /** How long the engine's threads look for more work before they sleep. */
  public Duration idleYield() {
    return values.idleYield;
  }

  /** The source of log time; empty: the system's clocks. */
  public Optional<LogClock> clock() {
    return Optional.ofNullable(values.clock);
  }

  /** Most bytes of a listing that is returned in one piece. */
  public int listingBytesMax() {
    return values.listingBytesMax;
  }

  /** When snapshots are taken, and how much of the past is kept. */
  public MaintenanceConfig upkeep() {
    return new MaintenanceConfig(
        values.snapshotLogBytes, values.snapshotInterval, values.readerBytesMax, values.history);
  }

  /** Whether a wall clock far behind the log is accepted. */
  public boolean acceptClock() {
    return values.acceptClock;
  }

  /** Whether the directory is only read. */
  public boolean readOnly() {
    return values.readOnly;
  }

  /** The point of the history to show; empty: the end. */
  public Optional<HistoryPoint> asOf() {
    return Optional.ofNullable(values.asOf);
  }

  /** The configuration of a view of this engine, which has its own memory. */
  EmbeddedConfig ofView(HistoryPoint point) {
    // Nothing is forced there, and no claim waits, for each of which there would be room.
    return new EmbeddedConfig(
        values.copy().asOf(point).durability(Durability.OS).waitingClaimsMax(1));
  }

  /** Watches how that point is restored. */
  ReplayWatch asOfWatch() {
    return values.asOfWatch;
  }

  /** Builds a configuration. One thread. */
  public static final class Builder {
    private final Optional<Path> directory;
    private Durability durability;
    private int segmentBytes = LogConfig.SEGMENT_BYTES_DEFAULT;
    private int valueBytesMax = Limits.VALUE_BYTES_MAX_DEFAULT;
    private int commandBytesMax = Limits.COMMAND_BYTES_MAX_DEFAULT;
    private int requestsInFlightMax = 4_096;
    private long bytesInFlightMax = 64L << 20;
    private int waitingClaimsMax = 16_384;
    private long unforcedBytesMax = 16L << 20;
    private long queueTasksMax;
    private int policiesMax = Limits.POLICIES_MAX_DEFAULT;
    private long memoryBytesMax;
    private long replayBytesMax = -1;
    private long diskLowBytes = 256L << 20;
    private long diskFullBytes = 64L << 20;
    private DiskSpace diskSpace = DiskSpace.FILE_SYSTEM;
    private Duration roomTimeout = Duration.ofSeconds(10);
    private Duration idleYield = Duration.ofNanos(300_000);
    private int listingBytesMax = 64 << 20;
    private long snapshotLogBytes = MaintenanceConfig.DEFAULT.snapshotLogBytes();
    private Duration snapshotInterval = MaintenanceConfig.DEFAULT.snapshotInterval();
    private long readerBytesMax = MaintenanceConfig.DEFAULT.readerBytesMax();
    private HistoryPolicy history = HistoryPolicy.OFF;
    private LogClock clock;
    private boolean acceptClock;
    private boolean readOnly;
    private HistoryPoint asOf;
    private ReplayWatch asOfWatch = ReplayWatch.NONE;

    private Builder(Optional<Path> directory) {
      this.directory = directory;
      this.durability = directory.isPresent() ? Durability.OS : Durability.NONE;
    }

    /** Sets what a reply promises; {@link Durability#OS} by default, in memory nothing. */
    public Builder durability(Durability level) {
      durability = Objects.requireNonNull(level, "durability");
      return this;
    }

    /** Sets the size of a segment of the log, in bytes; 64 MiB by default. */
    public Builder segmentBytes(int bytes) {
      segmentBytes = (int) inRange("segmentBytes", bytes, 4 << 10, 1 << 30);
      return this;
    }

    /** Sets the largest value of a task, in bytes; 1 MiB by default. */
    public Builder valueBytesMax(int bytes) {
      valueBytesMax = (int) inRange("valueBytesMax", bytes, 1, Limits.COMMAND_BYTES_MAX_DEFAULT);
      return this;
    }

    /** Sets the largest command, in bytes as encoded; 8 MiB by default. */
    public Builder commandBytesMax(int bytes) {
      commandBytesMax =
          (int) inRange("commandBytesMax", bytes, 1 << 10, Limits.COMMAND_BYTES_MAX_DEFAULT);
      return this;
    }

    /** Sets the most requests in flight, without waiting claims; 4,096 by default. */
    public Builder requestsInFlightMax(int requests) {
      requestsInFlightMax = (int) inRange("requestsInFlightMax", requests, 1, SLOTS_MAX);
      return this;
    }

    /** Sets the most bytes of requests above 4 KiB in flight, together; 64 MiB by default. */
    public Builder bytesInFlightMax(long bytes) {
      bytesInFlightMax = inRange("bytesInFlightMax", bytes, 8 << 10, 1L << 38);
      return this;
    }

    /** Sets the most claims that wait at once; 16,384 by default, at most 32,768. */
    public Builder waitingClaimsMax(int claims) {
      // Each has an identity of its own, and the state remembers 65,536 of them.
      waitingClaimsMax = (int) inRange("waitingClaimsMax", claims, 1, 32_768);
      return this;
    }

    /**
     * Sets the most bytes that are not forced yet at durability {@code DISK}; 16 MiB by default.
     */
    public Builder unforcedBytesMax(long bytes) {
      unforcedBytesMax = inRange("unforcedBytesMax", bytes, 1, 1L << 38);
      return this;
    }

    /**
     * Sets the most tasks of a queue, available or not; any number by default. A Modify that
     * inserts or moves tasks into a queue that would then have more is refused as a whole with
     * {@link io.entroq.api.EntroQException.ResourceExhausted}. Tasks that leave the queue in the
     * same Modify make room. A Modify that does not make the queue larger is accepted even if the
     * limit has been lowered below the queue's size. Claims, renewals and deletes are never refused
     * for it.
     *
     * <p>If the Modify's own tasks in a queue (inserted, moved, changed or depended on) exceed the
     * limit, it can never fit and is refused with {@link
     * io.entroq.api.EntroQException.InvalidArgument}: split it, or raise the limit.
     *
     * <p>The limit is part of each command of this engine and is not stored, so the next opening
     * may have another. A directory of a behavior level below 3 cannot be opened with a limit
     * before its level is raised.
     *
     * @param tasks 0: any number
     */
    public Builder queueTasksMax(long tasks) {
      queueTasksMax = inRange("queueTasksMax", tasks, 0, 1L << 46);
      return this;
    }

    /**
     * Sets how many policies there may be, of queues and prefixes together, and how many limiters;
     * default 100,000. A pause without rules counts as well. A Modify that would add one more is
     * refused with {@link io.entroq.api.EntroQException.ResourceExhausted}. Those that exist stay,
     * even beyond the limit. The limit is part of each command and is not stored.
     *
     * @param policies up to 16,777,216; 0: any number
     */
    public Builder policiesMax(int policies) {
      policiesMax = (int) inRange("policiesMax", policies, 0, 1L << 24);
      return this;
    }

    /**
     * Sets the most bytes of memory outside the heap for tasks and all data about them. Beyond it,
     * inserts are refused with {@link io.entroq.api.EntroQException.ResourceExhausted} unless they
     * fit in the place of deleted tasks. Changes may use a further 1/32, and beyond that only those
     * that keep a task's size, so leases can always be renewed. Claims, deletes and reads go on.
     *
     * <p>The default is 7/8 of what the JVM allows, without what the feed may take: 64 MiB and
     * {@code replayBytesMax}. The JVM allows {@code -XX:MaxDirectMemorySize} if set, else as much
     * as the maximal heap. Several engines in one process share that, so set it for each.
     */
    public Builder memoryBytesMax(long bytes) {
      memoryBytesMax = inRange("memoryBytesMax", bytes, 1 << 20, 1L << 46);
      return this;
    }

    /**
     * Sets the most bytes of memory outside the heap for those who read history: each of two
     * readers of the feed has a state of its own and may use half. A state that needs more is not
     * read. By default, a quarter of what the JVM allows, or less if {@code memoryBytesMax} leaves
     * less; none in memory.
     *
     * @param bytes 0: no history is read
     */
    public Builder replayBytesMax(long bytes) {
      replayBytesMax = inRange("replayBytesMax", bytes, 0, 1L << 46);
      return this;
    }

    /**
     * Sets how many bytes must be free on the disk for inserts; 256 MiB by default. With fewer,
     * inserts are refused with {@link io.entroq.api.EntroQException.ResourceExhausted} until there
     * is room again; claims, changes, deletes and reads go on.
     *
     * @param bytes at least {@code diskFullBytes} and 16 MiB; 0: inserts are treated like other
     *     changes
     */
    public Builder diskLowBytes(long bytes) {
      diskLowBytes = inRange("diskLowBytes", bytes, 0, 1L << 50);
      return this;
    }

    /**
     * Sets how many bytes must be free on the disk for any change; 64 MiB by default. With fewer,
     * everything but reads is refused with {@link io.entroq.api.EntroQException.ResourceExhausted}
     * until there is room again; waiting claims go on waiting. Snapshots leave as much free. Below
     * 16 MiB there is no room even for the engine's own records, and it stops.
     *
     * @param bytes at least 16 MiB; 0: nothing is refused before the engine stops
     */
    public Builder diskFullBytes(long bytes) {
      diskFullBytes = inRange("diskFullBytes", bytes, 0, 1L << 50);
      return this;
    }

    /** Sets the source of the disk's free space. */
    Builder diskSpace(DiskSpace space) {
      diskSpace = space;
      return this;
    }

    /**
     * Sets the most bytes of a listing that is returned in one piece; 64 MiB by default. A larger
     * one is refused; ask for less, or use {@link io.entroq.api.EntroQ#forEachTask}.
     */
    public Builder listingBytesMax(int bytes) {
      listingBytesMax = (int) inRange("listingBytesMax", bytes, 1 << 10, 1 << 30);
      return this;
    }

    /** Sets how long a caller waits for room at a limit; 10 seconds by default. */
    public Builder roomTimeout(Duration timeout) {
      inRange("roomTimeout", timeout.toMillis(), 0, Duration.ofDays(1).toMillis());
      roomTimeout = timeout;
      return this;
    }

    /**
     * Sets how long the engine's thread looks for more requests before it sleeps, and at {@code
     * DISK} the force thread for more records; 0.3 milliseconds by default. Longer saves callers
     * the tens of microseconds of waking a thread, and costs processor time for each of the two.
     */
    public Builder idleYield(Duration time) {
      inRange("idleYield", time.toMillis(), 0, Duration.ofDays(1).toMillis());
      idleYield = time;
      return this;
    }

    /**
     * Sets by how many bytes the log grows between two snapshots, or by half of the live data if
     * that is more; 256 MiB by default. A lower value makes recovery faster and writes more.
     */
    public Builder snapshotLogBytes(long bytes) {
      snapshotLogBytes = inRange("snapshotLogBytes", bytes, 64 << 10, 1L << 46);
      return this;
    }

    /** Sets the time after which a log that has grown gets a snapshot; 10 minutes by default. */
    public Builder snapshotInterval(Duration interval) {
      inRange("snapshotInterval", interval.toMillis(), 1, Duration.ofDays(366).toMillis());
      snapshotInterval = interval;
      return this;
    }

    /**
     * Sets how many bytes of the log a registered reader, such as a backup in progress, may retain;
     * 1 GiB by default. A reader that falls further behind loses its place.
     */
    public Builder readerBytesMax(long bytes) {
      readerBytesMax = inRange("readerBytesMax", bytes, 0, 1L << 46);
      return this;
    }

    /**
     * Sets how much of the past is kept in the directory, besides what the next opening needs; none
     * by default. When less than four times {@code diskLowBytes} is free, history is removed,
     * oldest first. To keep any takes up to 16 MiB of memory outside the heap, for filters of ids.
     */
    public Builder history(HistoryPolicy policy) {
      history = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the source of log time; by default the system's clocks. A clock belongs to one engine at
     * a time.
     */
    public Builder clock(LogClock newClock) {
      clock = Objects.requireNonNull(newClock, "clock");
      return this;
    }

    /**
     * Sets whether to open although the wall clock is more than a minute behind the newest record;
     * false by default. Log time then stays ahead until the wall clock catches up.
     */
    public Builder acceptClock(boolean accept) {
      acceptClock = accept;
      return this;
    }

    /**
     * Sets whether to write nothing to the directory, which must exist; false by default. Listings
     * then show the directory as it was found, also on a full disk or a read-only one, and whatever
     * changes something is refused.
     */
    public Builder readOnly(boolean isReadOnly) {
      readOnly = isReadOnly;
      return this;
    }

    /**
     * Sets a point of the history of the directory, which is then shown as it was: time stands
     * still, so counts are as of that time. Nothing is written, whatever changes something is
     * refused, and the directory may be in use by an engine. By default, the directory is opened at
     * its end.
     */
    public Builder asOf(HistoryPoint point) {
      if (directory.isEmpty()) {
        throw new IllegalArgumentException("an engine in memory has no history");
      }
      asOf = Objects.requireNonNull(point, "point");
      return this;
    }

    /**
     * Sets a point as {@link #asOf(HistoryPoint)} does. Opening it may take long.
     *
     * @param watch may abandon that: then opening fails with {@link
     *     io.entroq.engine.history.HistoryException}
     */
    public Builder asOf(HistoryPoint point, ReplayWatch watch) {
      asOfWatch = Objects.requireNonNull(watch, "watch");
      return asOf(point);
    }

    /**
     * Builds the configuration.
     *
     * @throws IllegalArgumentException if parts of it contradict each other
     */
    public EmbeddedConfig build() {
      if (bytesInFlightMax < commandBytesMax) {
        throw new IllegalArgumentException(
            "bytesInFlightMax must be at least commandBytesMax, which is "
                + commandBytesMax
                + ", is "
                + bytesInFlightMax);
      }
      // Made to be checked.
      spaceFloors();
      return new EmbeddedConfig(this);
    }

    private SpaceFloors spaceFloors() {
      return new SpaceFloors(diskLowBytes, diskFullBytes, LogConfig.RESERVE_BYTES_DEFAULT);
    }

    private Builder copy() {
      Builder copy = new Builder(directory);
      copy.durability = durability;
      copy.segmentBytes = segmentBytes;
      copy.valueBytesMax = valueBytesMax;
      copy.commandBytesMax = commandBytesMax;
      copy.requestsInFlightMax = requestsInFlightMax;
      copy.bytesInFlightMax = bytesInFlightMax;
      copy.waitingClaimsMax = waitingClaimsMax;
      copy.unforcedBytesMax = unforcedBytesMax;
      copy.queueTasksMax = queueTasksMax;
      copy.policiesMax = policiesMax;
      copy.memoryBytesMax = memoryBytesMax;
      copy.replayBytesMax = replayBytesMax;
      copy.diskLowBytes = diskLowBytes;
      copy.diskFullBytes = diskFullBytes;
      copy.diskSpace = diskSpace;
      copy.roomTimeout = roomTimeout;
      copy.idleYield = idleYield;
      copy.snapshotLogBytes = snapshotLogBytes;
      copy.snapshotInterval = snapshotInterval;
      copy.readerBytesMax = readerBytesMax;
      copy.history = history;
      copy.clock = clock;
      copy.listingBytesMax = listingBytesMax;
      copy.acceptClock = acceptClock;
      copy.readOnly = readOnly;
      copy.asOf = asOf;
      copy.asOfWatch = asOfWatch;
      return copy;
    }

    private static long inRange(String name, long value, long min, long max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            name + " must be from " + min + " to " + max + ", is " + value);
      }
      return value;
    }
  }
}
