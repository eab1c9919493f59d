package io.entroq.service.authorization;

import static io.entroq.service.feed.ScriptedFeed.moved;
import static io.entroq.service.feed.ScriptedFeed.task;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.wire.edge.Effect;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Service;
import io.entroq.service.feed.Feeds;
import io.entroq.service.feed.HeardFeed;
import io.entroq.service.feed.ScriptedFeed;
import io.entroq.service.translation.Facade;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a caller must be allowed to read, and what it sees then. */
class FeedAuthorizationTest {
  private static final CallContext CONTEXT = CallContext.of("test");
  private static final Permission ANY = Permission.ofPrefix(Action.READ, "");

  private final GuardedQueue guarded = new GuardedQueue(Facade.V1);
  private final ScriptedFeed feed = new ScriptedFeed();
  private final Feeds feeds = feed.feeds();
  private final BlockingQueue<AuthorizationQuery> asked = new LinkedBlockingQueue<>();
  private volatile Decision decision = Decision.ALLOWED;
  private final Service service =
      new AuthorizedService(
          feeds.before(guarded.open),
          new LoggedAuthorizer(
              query -> {
                asked.add(query);
                return CompletableFuture.completedFuture(decision);
              }),
          false);

  @AfterEach
  void close() {
    feeds.close();
    guarded.close();
  }

  private HeardFeed open(TailRequest.Builder request) {
    HeardFeed heard = new HeardFeed();
    Call unused = service.handle(Method.TAIL, CONTEXT, request.build(), heard);
    return heard;
  }

  private static TailRequest.Builder all() {
    return TailRequest.newBuilder();
  }

  private static Permission read(String name) {
    return Permission.of(Action.READ, name);
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        Arguments.of(all(), List.of(ANY), List.of(ANY)),
        Arguments.of(all().addTaskIds("t").addKindsValue(1), List.of(ANY), List.of(ANY)),
        Arguments.of(all().addQueues("a").addQueues("b"), List.of(read("a"), read("b")), List.of()),
        Arguments.of(
            all().addQueues("a").addPrefixes("p/"),
            List.of(read("a"), Permission.ofPrefix(Action.READ, "p/")),
            List.of()),
        Arguments.of(all().addPrefixes(""), List.of(ANY), List.of()),
        Arguments.of(all().addNamespaces("n"), List.of(), List.of(read("n"))),
        Arguments.of(
            all().addNamespaces("n").addQueues("a"), List.of(read("a")), List.of(read("n"))));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void shouldNeedToReadAllThatIsNamed(
      TailRequest.Builder request, List<Permission> queues, List<Permission> namespaces) {
    open(request);
    assertThat(feed.opened()).isEqualTo(1);
    AuthorizationQuery query = asked.remove();
    assertThat(query.queues()).isEqualTo(queues);
    assertThat(query.namespaces()).isEqualTo(namespaces);
    decision = Decision.denied(List.of(), List.of());
    assertThat(open(request).refused().code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(feed.opened()).isEqualTo(1);
    assertThat(feeds.count()).isEqualTo(1);
  }

  @Test
  void shouldHideQueuesThatWereNotAskedFor() {
    HeardFeed heard = open(all().addQueues("mine").addPrefixes("my/"));
    feed.reader(0)
        .step(
            1,
            task(EffectKinds.CLAIMED, "a", "mine"),
            moved(EffectKinds.MOVED, "b", "mine", "my/other"),
            moved(EffectKinds.MOVED, "c", "mine", "secret"),
            moved(EffectKinds.DIED, "d", "secret", "my/err"));
    List<Effect> effects = heard.responses(1).get(0).getEffectsList();
    assertThat(effects.get(0).getTask().getQueue()).isEqualTo("mine");
    assertThat(effects.get(1).getTask().getQueue()).isEqualTo("my/other");
    assertThat(effects.get(1).getFormerQueue()).isEqualTo("mine");
    assertThat(effects.get(2).getFormerQueue()).isEqualTo("mine");
    assertThat(effects.get(2).getTask())
        .isEqualTo(Task.newBuilder().setId("c").setVersion(7).build());
    assertThat(effects.get(3).getTask().getQueue()).isEqualTo("my/err");
    assertThat(effects.get(3).getFormerQueue()).isEmpty();
    assertThat(heard.responses(1).toString()).doesNotContain("secret");
  }

  @Test
  void shouldHideNothingFromOneWhoMayReadAll() {
    HeardFeed heard = open(all());
    feed.reader(0).step(1, moved(EffectKinds.MOVED, "c", "mine", "secret"));
    assertThat(heard.responses(1).get(0).getEffects(0).getTask().getQueue()).isEqualTo("secret");
  }
}
