package io.entroq.server.settings;

import io.entroq.cluster.member.Liveness;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.retention.Retention;
import io.entroq.engine.maintenance.HistoryPolicy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks the settings of a cluster member that depend on each other. */
public final class MembershipRules {
  /** An even number tolerates no more failures than the odd number below it. */
  private static final Set<Integer> SIZES = Set.of(3, 5, 7);

  private MembershipRules() {}

  static void check(Settings settings) {
    for (Setting<?> setting :
        List.of(MembershipSettings.ID, MembershipSettings.MEMBERS, MembershipSettings.DATA)) {
      if (!settings.isSet(setting)) {
        throw new InvalidSettingException(
            "%s or %s is required".formatted(setting.flags()[0], setting.variable()));
      }
    }
    checkMembers(settings);
    checkFailover(settings);
    checkRetention(settings);
    if (settings.find(StoreSettings.HISTORY).filter(HistoryPolicy::isOn).isPresent()
        && !settings.get(MembershipSettings.MIRROR)) {
      throw new InvalidSettingException(
          settings.nameOf(StoreSettings.HISTORY) + ": needs --mirror, which keeps the history");
    }
  }

  private static void checkMembers(Settings settings) {
    List<MemberAddress> members = settings.get(MembershipSettings.MEMBERS);
    String name = settings.nameOf(MembershipSettings.MEMBERS);
    if (!SIZES.contains(members.size())) {
      throw new InvalidSettingException(
          ("%s: lists %d member(s); a cluster has 3, 5 or 7. For a single server use `entroq"
                  + " serve`")
              .formatted(name, members.size()));
    }
    Set<String> endpoints = new HashSet<>();
    for (MemberAddress member : members) {
      for (String endpoint : member.endpoints()) {
        if (!endpoints.add(endpoint)) {
          throw new InvalidSettingException(
              "%s: %s belongs to two members; each member uses five consecutive ports"
                  .formatted(name, endpoint));
        }
      }
    }
    int id = settings.get(MembershipSettings.ID);
    if (id >= members.size()) {
      throw new InvalidSettingException(
          "%s: there is no member %d; with %d members, ids are 0 to %d"
              .formatted(
                  settings.nameOf(MembershipSettings.ID), id, members.size(), members.size() - 1));
    }
  }

  private static void checkFailover(Settings settings) {
    try {
      liveness(settings);
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException("timeouts do not fit together: " + e.getMessage(), e);
    }
  }

  private static void checkRetention(Settings settings) {
    try {
      retention(settings);
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException("log retention: " + e.getMessage(), e);
    }
  }

  /** When to take snapshots, and how much log to keep. */
  public static Retention retention(Settings settings) {
    return new Retention(
        settings.get(MembershipSettings.SNAPSHOT_LOG_BYTES),
        settings.get(MembershipSettings.SNAPSHOT_INTERVAL),
        settings.get(MembershipSettings.LOG_BYTES_MAX));
  }

  /** The timeouts of failure detection. */
  public static Liveness liveness(Settings settings) {
    Liveness defaults =
        Liveness.withHeartbeatTimeout(settings.get(MembershipSettings.HEARTBEAT_TIMEOUT));
    return new Liveness(
        settings.find(MembershipSettings.HEARTBEAT_INTERVAL).orElse(defaults.heartbeatInterval()),
        defaults.heartbeatTimeout(),
        settings.find(MembershipSettings.ELECTION_TIMEOUT).orElse(defaults.electionTimeout()),
        settings.find(MembershipSettings.CANVASS_TIMEOUT).orElse(defaults.canvassTimeout()),
        settings.get(MembershipSettings.SESSION_TIMEOUT),
        settings.get(MembershipSettings.PROCESS_TIMEOUT));
  }
}
