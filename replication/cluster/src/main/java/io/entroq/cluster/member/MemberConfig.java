package io.entroq.cluster.member;

import io.entroq.api.Durability;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.mirror.MirrorConfig;
import io.entroq.cluster.retention.Retention;
import io.entroq.cluster.service.SkippedCommand;
import io.entroq.cluster.service.StateDivergence;
import io.entroq.cluster.session.MemberSecret;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.time.ClockWarning;
import io.entroq.engine.time.LogClock;
import io.entroq.engine.time.SlewedClock;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The configuration of a member. Immutable; built by {@link #of}. */
public final class MemberConfig {
  /** Term length of log and ingress; the longest message is an eighth of a term. */
  static final int TERM_BYTES = 16 << 20;

  /** Length of recording files; a multiple of the term length. */
  private static final int SEGMENT_BYTES = 64 << 20;

  /** The longest command; the rest of the longest message is for headers. */
  public static final int COMMAND_BYTES_MAX = TERM_BYTES / 8 - 1_024;

  /** No even numbers: they survive no more losses than one member fewer. */
  private static final Set<Integer> SIZES = Set.of(1, 3, 5, 7);

  private final Builder values;

  private MemberConfig(Builder builder) {
    values = builder.copy();
  }

  /**
   * Configures a member.
   *
   * @param memberId its index in {@code members}, from 0
   * @param members all members, in the same order everywhere and at every start: 1, 3, 5 or 7
   * @param directory holds the member's durable state
   * @throws IllegalArgumentException if the id or the number of members is out of range
   */
  public static Builder of(int memberId, List<MemberAddress> members, Path directory) {
    return new Builder(memberId, members, directory);
  }

  /** The member's index in {@link #members}. */
  public int memberId() {
    return values.memberId;
  }

  public List<MemberAddress> members() {
    return values.members;
  }

  /** The address of this member. */
  public MemberAddress address() {
    return values.members.get(values.memberId);
  }

  /** The directory of the member's durable state. */
  public Path directory() {
    return values.directory;
  }

  /** The directory of the media driver's temporary files. */
  public Path driverDirectory() {
    return values.driverDirectory.orElseGet(() -> DriverDirectory.of(values.directory));
  }

  /** How durable a command is before the member acknowledges it. */
  public Durability durability() {
    return values.durability;
  }

  /** Whether the member accepts an empty directory. */
  public boolean isBootstrap() {
    return values.isBootstrap;
  }

  /** The timeouts of failure detection. */
  public Liveness liveness() {
    return values.liveness;
  }

  /** The maximum number of sessions. */
  public int sessionsMax() {
    return values.sessionsMax;
  }

  /** The limits of callers' requests, memory and disk space. */
  public EmbeddedConfig bounds() {
    return values.bounds;
  }

  /** When snapshots are taken and how much log is kept. */
  public Retention retention() {
    return values.retention;
  }

  Consumer<StateDivergence> alarm() {
    return values.alarm;
  }

  int termBytes() {
    return values.termBytes;
  }

  /** The channel of ingress and log, without an endpoint. */
  String commandChannel() {
    return "aeron:udp?term-length=" + values.termBytes;
  }

  int segmentBytes() {
    return values.segmentBytes;
  }

  /** The shared secret that authenticates sessions; empty: no authentication. */
  public Optional<MemberSecret> secret() {
    return values.secret;
  }

  public MirrorConfig mirror() {
    return values.mirror;
  }

  /** How the list of images is forced: always, since a member with a torn one does not start. */
  Forcer imageIndexForcer() {
    return values.imageForcer.orElse(Forcer.DISK);
  }

  /** How images are forced: they are as durable as the rest. */
  Forcer imageForcer() {
    return values.imageForcer.orElse(
        values.durability == Durability.DISK ? Forcer.DISK : (what, action) -> {});
  }

  /** Whether to start although the wall clock is far behind the log. */
  public boolean acceptClock() {
    return values.acceptClock;
  }

  /** The command to skip. */
  public Optional<SkippedCommand> skippedCommand() {
    return values.skippedCommand;
  }

  LevelRange levels() {
    return values.levels;
  }

  Supplier<LogClock> clock() {
    return values.clock;
  }

  /** Builds a configuration. Not thread-safe. */
  public static final class Builder {
    private final int memberId;
    private final List<MemberAddress> members;
    private final Path directory;
    private Optional<Path> driverDirectory = Optional.empty();
    private Durability durability = Durability.DISK;
    private boolean isBootstrap;
    private Liveness liveness = Liveness.DEFAULT;
    private int sessionsMax = 64;
    private EmbeddedConfig bounds;
    private Optional<MemberSecret> secret = Optional.empty();
    private Supplier<LogClock> clock = () -> new SlewedClock(new ClockWarning());
    private Retention retention = Retention.DEFAULT;
    private Consumer<StateDivergence> alarm = divergence -> {};
    private int termBytes = TERM_BYTES;
    private int segmentBytes = SEGMENT_BYTES;
    private MirrorConfig mirror = MirrorConfig.DEFAULT;
    private Optional<Forcer> imageForcer = Optional.empty();
    private boolean acceptClock;
    private Optional<SkippedCommand> skippedCommand = Optional.empty();
    private LevelRange levels = LevelRange.ofThisBuild();

    private Builder(int memberId, List<MemberAddress> members, Path directory) {
      this.memberId = memberId;
      this.members = List.copyOf(members);
      this.directory = Objects.requireNonNull(directory, "directory");
      bounds = EmbeddedConfig.in(directory).commandBytesMax(COMMAND_BYTES_MAX).build();
      if (memberId < 0 || memberId >= members.size()) {
        throw new IllegalArgumentException(
            "memberId must be from 0 to %d, is %d".formatted(members.size() - 1, memberId));
      }
      if (!SIZES.contains(members.size())) {
        throw new IllegalArgumentException(
            ("a cluster has 1, 3, 5 or 7 members, not %d. More than half of them must be up, so an even"
                    + " number survives no more losses than one member fewer")
                .formatted(members.size()));
      }
    }

    /**
     * The directory of the media driver's temporary files. By default under {@code /dev/shm} if 1
     * GiB is free there; otherwise in the member's directory.
     */
    public Builder driverDirectory(Path path) {
      driverDirectory = Optional.of(path);
      return this;
    }

    /**
     * When the member acknowledges a command: {@link Durability#DISK}, the default, once it is
     * forced to disk; {@link Durability#OS} once it is in the page cache. What a majority has
     * acknowledged survives the loss of all other members.
     */
    public Builder durability(Durability level) {
      if (level == Durability.NONE) {
        throw new IllegalArgumentException("the durability of a member must be os or disk");
      }
      durability = Objects.requireNonNull(level, "durability");
      return this;
    }

    /**
     * Whether the member accepts an empty directory: only for the first start of a cluster. A
     * member that restarts empty under its old id may vote against what it has acknowledged.
     */
    public Builder bootstrap(boolean bootstrap) {
      isBootstrap = bootstrap;
      return this;
    }

    /** The timeouts of failure detection. */
    public Builder liveness(Liveness limits) {
      liveness = Objects.requireNonNull(limits, "liveness");
      return this;
    }

    /**
     * The maximum number of sessions; 64 by default, at least two per member. Each member has one,
     * and briefly a second while it reconnects.
     */
    public Builder sessionsMax(int sessions) {
      sessionsMax = sessions;
      return this;
    }

    /**
     * The limits of callers' requests, memory and disk space. Commands may have up to {@value
     * #COMMAND_BYTES_MAX} bytes. The directory and clock of this configuration are ignored, but
     * only one with a directory leaves memory for those who read history.
     */
    public Builder bounds(EmbeddedConfig config) {
      bounds = Objects.requireNonNull(config, "bounds");
      return this;
    }

    /**
     * The secret that authenticates members' sessions with the leader and with archives, the same
     * for all members; none by default. It encrypts nothing, and does not protect votes and log.
     */
    public Builder secret(MemberSecret shared) {
      secret = Optional.of(shared);
      return this;
    }

    /** How the log is mirrored in an engine's format. */
    public Builder mirror(MirrorConfig config) {
      mirror = Objects.requireNonNull(config, "mirror");
      return this;
    }

    /** Whether to start although the wall clock is more than a minute behind the log. */
    public Builder acceptClock(boolean accept) {
      acceptClock = accept;
      return this;
    }

    /** The one command to skip because it ends every member; set on all members at once. */
    public Builder skipCommand(SkippedCommand command) {
      skippedCommand = Optional.of(command);
      return this;
    }

    /** The clock that provides log time while this member leads. */
    Builder clock(Supplier<LogClock> maker) {
      clock = Objects.requireNonNull(maker, "clock");
      return this;
    }

    /** When snapshots are taken and how much log is kept; the same for all members. */
    public Builder retention(Retention limits) {
      retention = Objects.requireNonNull(limits, "retention");
      return this;
    }

    /**
     * Called, in addition to the log message, when members diverge, and again when more is known.
     * Runs on the applying thread and must not block.
     */
    public Builder alarm(Consumer<StateDivergence> listener) {
      alarm = Objects.requireNonNull(listener, "alarm");
      return this;
    }

    /** The behavior levels to report as supported, for tests of other builds. */
    Builder levels(LevelRange range) {
      levels = range;
      return this;
    }

    /** How images are forced, for tests of a disk that fails. */
    Builder imageForcer(Forcer forcer) {
      imageForcer = Optional.of(forcer);
      return this;
    }

    /** Term and file lengths, for tests with small logs. */
    Builder lengths(int term, int segment) {
      termBytes = term;
      segmentBytes = segment;
      return this;
    }

    /**
     * Builds the configuration.
     *
     * @throws IllegalArgumentException if a setting is out of range
     */
    public MemberConfig build() {
      if (bounds.commandBytesMax() > COMMAND_BYTES_MAX) {
        throw new IllegalArgumentException(
            "commandBytesMax must be at most %,d in a cluster, is %,d"
                .formatted(COMMAND_BYTES_MAX, bounds.commandBytesMax()));
      }
      if (sessionsMax < 2 * members.size()) {
        throw new IllegalArgumentException(
            "sessionsMax must be at least two per member, is " + sessionsMax);
      }
      return new MemberConfig(this);
    }

    private Builder copy() {
      Builder copy = new Builder(memberId, members, directory);
      copy.driverDirectory = driverDirectory;
      copy.durability = durability;
      copy.isBootstrap = isBootstrap;
      copy.liveness = liveness;
      copy.sessionsMax = sessionsMax;
      copy.bounds = bounds;
      copy.secret = secret;
      copy.clock = clock;
      copy.retention = retention;
      copy.alarm = alarm;
      copy.termBytes = termBytes;
      copy.segmentBytes = segmentBytes;
      copy.mirror = mirror;
      copy.imageForcer = imageForcer;
      copy.acceptClock = acceptClock;
      copy.skippedCommand = skippedCommand;
      copy.levels = levels;
      return copy;
    }
  }
}
