package io.entroq.server.serving;

import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberException;
import io.entroq.cluster.mirror.MirrorConfig;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.server.settings.MembershipRules;
import io.entroq.server.settings.MembershipSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.StoreSettings;
import io.entroq.tools.terminal.CommandException;

/** The member of a cluster that a node is. */
final class MemberSetUp {
  private final Settings settings;

  MemberSetUp(Settings settings) {
    this.settings = settings;
  }

  /**
   * Starts it. It has no leader yet then.
   *
   * @throws io.entroq.engine.log.LogException if another process has its directory
   * @throws CommandException if it cannot begin, or was told what contradicts itself
   */
  ClusterMember start() {
    try {
      return ClusterMember.start(config());
    } catch (MemberException | IllegalArgumentException | IllegalStateException e) {
      // What contradicts itself; and what a JVM is told that lacks flags.
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
            .bounds(bounds())
            .retention(MembershipRules.retention(settings))
            .mirror(
                settings.get(MembershipSettings.MIRROR) ? MirrorConfig.DEFAULT : MirrorConfig.OFF)
            .acceptClock(settings.get(StoreSettings.ACCEPT_CLOCK));
    settings.find(MembershipSettings.SKIP_COMMAND).ifPresent(config::skipCommand);
    settings.find(MembershipSettings.DRIVER_DIRECTORY).ifPresent(config::driverDirectory);
    String said = settings.nameOf(MembershipSettings.SECRET_FILE);
    settings
        .find(MembershipSettings.SECRET_FILE)
        .map(file -> SecretFile.read(said, file))
        .ifPresent(config::secret);
    return config.build();
  }

  private EmbeddedConfig bounds() {
    EmbeddedConfig.Builder bounds = EmbeddedConfig.inMemory();
    new Bounds(settings).bound(bounds);
    return bounds.build();
  }
}
