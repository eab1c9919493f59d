package io.entroq.server.serving;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.mirror.MirrorConfig;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.server.settings.LimitSettings;
import io.entroq.server.settings.MembershipRules;
import io.entroq.server.settings.MembershipSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.StoreSettings;
import io.entroq.tools.terminal.CommandException;

/** Starts a cluster member as the settings say. */
final class MemberFactory {
  /** As for an engine, history goes long before inserts are refused. */
  private static final int HISTORY_ROOM_FACTOR = 4;

  private final Settings settings;

  MemberFactory(Settings settings) {
    this.settings = settings;
  }

  /**
   * Starts the member. It has no leader yet when this returns.
   *
   * @throws io.entroq.engine.log.LogException if another process uses its directory
   * @throws CommandException if it cannot start, or settings contradict each other
   */
  ClusterMember start() {
    try {
      MemberConfig config = config();
      TrafficCheck.run(
          config,
          settings.nameOf(MembershipSettings.MEMBERS),
          MembershipSettings.ALLOW_PUBLIC_MEMBERS.flags()[0],
          settings.get(MembershipSettings.ALLOW_PUBLIC_MEMBERS));
      return ClusterMember.start(config);
    } catch (MemberException | IllegalArgumentException | IllegalStateException e) {
      // Contradicting settings, or missing JVM flags.
      throw new CommandException(e.getMessage(), e);
    }
  }

  private MemberConfig config() {
    MemberConfig.Builder config =
        MemberConfig.of(
                settings.get(MembershipSettings.ID),
                settings.get(MembershipSettings.MEMBERS),
                settings.get(MembershipSettings.DATA).toAbsolutePath().normalize())
            .bootstrap(settings.get(MembershipSettings.BOOTSTRAP))
            .durability(settings.get(MembershipSettings.DURABILITY))
            .liveness(MembershipRules.liveness(settings))
            .bounds(limits())
            .retention(MembershipRules.retention(settings))
            .mirror(mirror())
            .acceptClock(settings.get(StoreSettings.ACCEPT_CLOCK));
    settings.find(MembershipSettings.SKIP_COMMAND).ifPresent(config::skipCommand);
    settings.find(MembershipSettings.DRIVER_DIRECTORY).ifPresent(config::driverDirectory);
    String name = settings.nameOf(MembershipSettings.SECRET_FILE);
    settings
        .find(MembershipSettings.SECRET_FILE)
        .map(file -> SecretFile.read(name, file))
        .ifPresent(config::secret);
    return config.build();
  }

  private MirrorConfig mirror() {
    if (!settings.get(MembershipSettings.MIRROR)) {
      return MirrorConfig.OFF;
    }
    MirrorConfig mirror = MirrorConfig.DEFAULT;
    long roomBytes = HISTORY_ROOM_FACTOR * settings.get(LimitSettings.DISK_LOW_BYTES);
    return mirror.withHistory(
        new ServerLimits(settings).history(), Math.max(roomBytes, mirror.historyRoomBytes()));
  }

  private EmbeddedConfig limits() {
    // Only a member with a mirror has a history to be read.
    EmbeddedConfig.Builder config =
        settings.get(MembershipSettings.MIRROR)
            ? EmbeddedConfig.in(settings.get(MembershipSettings.DATA))
            : EmbeddedConfig.inMemory();
    new ServerLimits(settings).applyTo(config);
    return config.build();
  }
}
