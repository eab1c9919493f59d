package io.entroq.server.serving;

import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.tools.terminal.CommandException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Logs what protects the traffic between members, and refuses public addresses unless told. */
public final class TrafficCheck {
  private static final Logger LOGGER = System.getLogger(TrafficCheck.class.getName());

  private TrafficCheck() {}

  /**
   * Looks at the paths to all members.
   *
   * @param members name of the option with the members
   * @param allowPublic name of the option that allows public addresses
   * @throws CommandException if there are public addresses, which are not allowed
   */
  public static void run(
      MemberConfig config, String members, String allowPublic, boolean isPublicAllowed) {
    MemberTraffic traffic =
        MemberTraffic.between(
            config.members().stream().map(MemberAddress::host).toList(), new LocalNetwork());
    if (!isPublicAllowed) {
      traffic
          .objection()
          .ifPresent(
              why -> {
                throw new CommandException(
                    "%s: %s. Give the members addresses in a WireGuard network, or set %s if"
                            .formatted(members, why, allowPublic)
                        + " something else protects them");
              });
    }
    LOGGER.log(
        traffic.isEncryptedOrLocal() ? Level.INFO : Level.WARNING,
        traffic.describe(config.secret().isPresent()));
  }
}
