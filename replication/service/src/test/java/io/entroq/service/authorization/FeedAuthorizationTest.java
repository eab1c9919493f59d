package io.entroq.service.authorization;

import static io.entroq.service.feed.ScriptedFeed.moved;
import static io.entroq.service.feed.ScriptedFeed.task;
import static io.entroq.service.testing.Await.until;
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
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller must be allowed to read, and what it sees then. */
class FeedAuthorizationTest {
  private static final CallContext CONTEXT = CallContext.of("test");
  private static final Permission ANY = Permission.ofPrefix(Action.READ, "");

  private final GuardedQueue guarded = new GuardedQueue(Facade.V1);
  private final ScriptedFeed feed = new ScriptedFeed();
  private final Feeds feeds = feed.feeds();
  private final BlockingQueue<AuthorizationQuery> asked = new LinkedBlockingQueue<>();
  private volatile Decision decision = Decision.ALLOWED;
  private volatile Function<AuthorizationQuery, CompletableFuture<Decision>> answer =
      query -> CompletableFuture.completedFuture(decision);
  private final Service service =
      new AuthorizedService(
          feeds.before(guarded.open),
          new LoggedAuthorizer(
              query -> {
                asked.add(query);
                return answer.apply(query);
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
  }

  static Stream<TailRequest.Builder> named() {
    return Stream.of(
        all().addQueues("a").addQueues("b"),
        all().addNamespaces("n"),
        all().addQueues("a").addPrefixes("p/"),
        all().addQueues("a").addNamespaces("n"));
  }

  @ParameterizedTest
  @MethodSource("named")
  void shouldRefuseWhatIsNamedAndMayNotBeRead(TailRequest.Builder request) {
    decision = Decision.denied(List.of(), List.of());
    assertThat(open(request).refused().code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(feed.opened()).isZero();
    assertThat(feeds.count()).isZero();
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

  /** Permits to read these queues and namespaces, and names what it denies or not. */
  private void permit(boolean namesDenied, String... names) {
    Set<String> permitted = Set.of(names);
    answer =
        query -> {
          List<Permission> denied =
              Stream.concat(query.queues().stream(), query.namespaces().stream())
                  .filter(each -> each.isPrefix() || !permitted.contains(each.name()))
                  .toList();
          List<DeniedItem> items =
              namesDenied ? denied.stream().map(DeniedItem::of).toList() : List.of();
          return CompletableFuture.completedFuture(
              denied.isEmpty() ? Decision.ALLOWED : Decision.denied(List.of(), items));
        };
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLeaveOutWhatMayNotBeRead(boolean namesDenied) {
    permit(namesDenied, "mine", "other", "docs");
    HeardFeed heard = open(all());
    feed.reader(0)
        .step(
            1,
            task(EffectKinds.CLAIMED, "a", "mine"),
            task(EffectKinds.CLAIMED, "b", "secret"),
            moved(EffectKinds.MOVED, "c", "mine", "other"),
            moved(EffectKinds.MOVED, "d", "mine", "secret"),
            moved(EffectKinds.DIED, "e", "secret", "other"),
            moved(EffectKinds.DIED, "f", "secret", "hidden"));
    List<Effect> effects = heard.responses(1).get(0).getEffectsList();
    assertThat(effects)
        .extracting(effect -> effect.getTask().getId())
        .containsExactly("a", "c", "d", "e");
    assertThat(effects.get(2).getTask())
        .isEqualTo(Task.newBuilder().setId("d").setVersion(7).build());
    assertThat(effects.get(3).getFormerQueue()).isEmpty();
    assertThat(heard.responses(1).toString()).doesNotContain("secret", "hidden");
    int before = asked.size();
    feed.reader(0).step(2, task(EffectKinds.CLAIMED, "a", "mine"));
    heard.responses(2);
    assertThat(asked).as("what is known is not asked again").hasSize(before);
  }

  @Test
  void shouldGoOnWithPositionsWhenNothingMayBeRead() {
    permit(true);
    HeardFeed heard = open(all());
    feed.reader(0).step(1, task(EffectKinds.CLAIMED, "a", "mine"));
    assertThat(heard.responses(1).get(0).getEffectsList()).isEmpty();
    assertThat(heard.responses(1).get(0).getPosition()).startsWith("1@");
    feed.reader(0).mark(2);
    assertThat(heard.responses(2).get(1).getEffectsList()).isEmpty();
    assertThat(heard.responses(2).get(1).getPosition()).startsWith("2@");
  }

  @Test
  void shouldWaitForTheAuthorizerAndThenGoOn() {
    permit(true);
    HeardFeed heard = open(all());
    BlockingQueue<CompletableFuture<Decision>> waiting = new LinkedBlockingQueue<>();
    answer =
        query -> {
          CompletableFuture<Decision> later = new CompletableFuture<>();
          waiting.add(later);
          return later;
        };
    feed.reader(0).step(1, task(EffectKinds.CLAIMED, "a", "mine"));
    until("it asks", () -> !waiting.isEmpty());
    feed.reader(0).step(2, task(EffectKinds.CLAIMED, "b", "mine"));
    waiting.remove().complete(Decision.ALLOWED);
    assertThat(
            heard.responses(2).stream()
                .flatMap(response -> response.getEffectsList().stream())
                .map(effect -> effect.getTask().getId()))
        .containsExactly("a", "b");
    assertThat(waiting).isEmpty();
  }

  @Test
  void shouldEndWhenTheAuthorizerCannotDecide() {
    permit(true);
    HeardFeed heard = open(all());
    decision = Decision.unavailable("it is away");
    answer = query -> CompletableFuture.completedFuture(decision);
    feed.reader(0).step(1, task(EffectKinds.CLAIMED, "a", "mine"));
    assertThat(heard.refused().code()).isEqualTo(Status.Code.UNAVAILABLE);
    until("its place is free", () -> feeds.count() == 0);
  }
}
