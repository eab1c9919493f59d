package io.entroq.server.settings;

import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.service.SkippedCommand;
import java.util.List;
import java.util.stream.Collectors;

/** The types of settings that only cluster members have. */
final class MemberSettingTypes {
  private MemberSettingTypes() {}

  /** The members of a cluster: host and first port of each. */
  static SettingType<List<MemberAddress>> addresses(String label) {
    return new SettingType<>(
        label,
        "a list such as 10.0.0.1:9200,10.0.0.2:9200,10.0.0.3:9200",
        MemberAddress::list,
        members -> members.stream().map(MemberAddress::ingress).collect(Collectors.joining(",")));
  }

  static SettingType<SkippedCommand> command(String label) {
    return new SettingType<>(
        label,
        "a position and a CRC such as 4096:0a1b2c3d",
        SkippedCommand::parse,
        SkippedCommand::toString);
  }
}
