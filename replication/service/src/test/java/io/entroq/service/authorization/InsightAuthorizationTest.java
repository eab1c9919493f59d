package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.DeadLettersRequest;
import io.entroq.codec.wire.edge.FailuresRequest;
import io.entroq.codec.wire.edge.OverviewRequest;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.WaitersRequest;
import io.entroq.codec.wire.edge.WorkersRequest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a caller must be allowed to read before it is told of queues. */
class InsightAuthorizationTest {
  private static final Permission ANY = Permission.ofPrefix(Action.READ, "");

  private static Permission read(String name) {
    return Permission.of(Action.READ, name);
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        Arguments.of(OverviewRequest.getDefaultInstance(), List.of(ANY)),
        Arguments.of(WorkersRequest.newBuilder().setPrefix("w").build(), List.of(ANY)),
        Arguments.of(SearchQueuesRequest.getDefaultInstance(), List.of(ANY)),
        Arguments.of(
            SearchQueuesRequest.newBuilder().setPrefix("p/").build(),
            List.of(Permission.ofPrefix(Action.READ, "p/"))),
        Arguments.of(
            SearchQueuesRequest.newBuilder().setPrefix("p/").addName("a").addName("b").build(),
            List.of(read("a"), read("b"))),
        Arguments.of(
            SearchQueuesRequest.newBuilder().setPrefix("p/").setFold(true).build(),
            List.of(Permission.ofPrefix(Action.READ, "p/"))),
        Arguments.of(
            SearchQueuesRequest.newBuilder().addName("a").setFold(true).build(),
            List.of(read("a"), Permission.ofPrefix(Action.READ, "a/"))),
        Arguments.of(
            SearchQueuesRequest.newBuilder().setPrefix("x").setPool("p").build(),
            List.of(read("p"), Permission.ofPrefix(Action.READ, "p/"))),
        Arguments.of(RatesRequest.getDefaultInstance(), List.of(ANY)),
        Arguments.of(RatesRequest.newBuilder().addQueue("a").build(), List.of(read("a"))),
        Arguments.of(FailuresRequest.getDefaultInstance(), List.of(ANY)),
        Arguments.of(FailuresRequest.newBuilder().setQueue("a").build(), List.of(read("a"))),
        Arguments.of(WaitersRequest.getDefaultInstance(), List.of(ANY)),
        Arguments.of(WaitersRequest.newBuilder().setQueue("a").build(), List.of(read("a"))),
        Arguments.of(DeadLettersRequest.getDefaultInstance(), List.of(ANY)),
        Arguments.of(DeadLettersRequest.newBuilder().setQueue("a").build(), List.of(read("a"))));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void shouldRequireToReadWhatIsAskedFor(Message request, List<Permission> permissions) {
    assertThat(RequiredPermissions.insight(request)).contains(permissions);
  }

  @Test
  void shouldRequireNothingOfOthers() {
    assertThat(RequiredPermissions.insight(TasksRequest.getDefaultInstance())).isEmpty();
  }
}
