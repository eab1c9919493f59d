package io.entroq.server.settings;

import io.entroq.cluster.member.Liveness;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.retention.Retention;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a node cannot be told of its cluster. */
public final class MembershipRules {
  /** A majority of an even number is as large as that of the next, and so bears no more losses. */
  private static final Set<Integer> SIZES = Set.of(3, 5, 7);

  private MembershipRules() {}

  static void check(Settings settings) {
    for (Setting<?> setting :
        List.of(MembershipSettings.ID, MembershipSettings.MEMBERS, MembershipSettings.DATA)) {
      if (!settings.isGiven(setting)) {
        throw new WrongSettingException(
            "%s: is missing, or %s".formatted(setting.flags()[0], setting.variable()));
      }
    }
    checkMembers(settings);
    checkPatience(settings);
    checkRetention(settings);
  }

  private static void checkMembers(Settings settings) {
    List<MemberAddress> members = settings.get(MembershipSettings.MEMBERS);
    String said = settings.said(MembershipSettings.MEMBERS);
    if (!SIZES.contains(members.size())) {
      throw new WrongSettingException(
          ("%s: names %d; a cluster has 3, 5 or 7 members, of which 1, 2 or 3 may be lost. For one"
                  + " process there is `serve`")
              .formatted(said, members.size()));
    }
    Set<String> endpoints = new HashSet<>();
    for (MemberAddress member : members) {
      for (String endpoint : member.endpoints()) {
        if (!endpoints.add(endpoint)) {
          throw new WrongSettingException(
              "%s: %s belongs to two members; each has five ports, from the one named on"
                  .formatted(said, endpoint));
        }
      }
    }
    int id = settings.get(MembershipSettings.ID);
    if (id >= members.size()) {
      throw new WrongSettingException(
          "%s: there is no member %d; with %d members it may be from 0 to %d"
              .formatted(
                  settings.said(MembershipSettings.ID), id, members.size(), members.size() - 1));
    }
  }

  private static void checkPatience(Settings settings) {
    try {
      liveness(settings);
    } catch (IllegalArgumentException e) {
      throw new WrongSettingException("--heartbeat-timeout and its like: " + e.getMessage(), e);
    }
  }

  private static void checkRetention(Settings settings) {
    try {
      retention(settings);
    } catch (IllegalArgumentException e) {
      throw new WrongSettingException("--snapshot-log-bytes and its like: " + e.getMessage(), e);
    }
  }

  /** When snapshots are taken, and how much log is kept. */
  public static Retention retention(Settings settings) {
    return new Retention(
        settings.get(MembershipSettings.SNAPSHOT_LOG_BYTES),
        settings.get(MembershipSettings.SNAPSHOT_INTERVAL),
        settings.get(MembershipSettings.LOG_BYTES_MAX));
  }

  /** When members give each other up. */
  public static Liveness liveness(Settings settings) {
    Liveness standard =
        Liveness.withHeartbeatTimeout(settings.get(MembershipSettings.HEARTBEAT_TIMEOUT));
    return new Liveness(
        settings.find(MembershipSettings.HEARTBEAT_INTERVAL).orElse(standard.heartbeatInterval()),
        standard.heartbeatTimeout(),
        settings.find(MembershipSettings.ELECTION_TIMEOUT).orElse(standard.electionTimeout()),
        settings.find(MembershipSettings.CANVASS_TIMEOUT).orElse(standard.canvassTimeout()),
        settings.get(MembershipSettings.SESSION_TIMEOUT),
        settings.get(MembershipSettings.PROCESS_TIMEOUT));
  }
}
