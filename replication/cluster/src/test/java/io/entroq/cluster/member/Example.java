package io.entroq.cluster.member;

import io.entroq.api.Modification;
import java.nio.file.Path;
import java.util.List;

/** What the page of this module shows. Not run, as it needs three machines. */
final class Example {
  private Example() {}

  static void start() {
    List<MemberAddress> members =
        List.of(
            MemberAddress.of("10.0.0.1", 9200), // the first of five UDP ports
            MemberAddress.of("10.0.0.2", 9200),
            MemberAddress.of("10.0.0.3", 9200));
    MemberConfig config = MemberConfig.of(0, members, Path.of("data")).bootstrap(true).build();
    try (ClusterMember member = ClusterMember.start(config)) {
      member.queue().modify(Modification.insert("inbox", "hello")).orThrow();
    }
  }
}
