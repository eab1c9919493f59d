package io.entroq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.api.worker.Backoff;
import io.entroq.codec.wire.edge.TasksRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listing whose server fails. */
class TaskListingTest {
  private static final TasksRequest ALL = TasksRequest.newBuilder().setQueue("inbox").build();

  private final FakeTransport transport = new FakeTransport(0);
  private final ExecutorService caller = Executors.newSingleThreadExecutor();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private Dispatcher dispatcher = dispatcher(Duration.ofSeconds(20));

  private Dispatcher dispatcher(Duration callTimeout) {
    return new Dispatcher(transport, Backoff.constant(Duration.ofMillis(1)), callTimeout);
  }

  @AfterEach
  void close() {
    dispatcher.close();
    caller.shutdownNow();
  }

  private Future<?> list(TasksRequest request) {
    return caller.submit(
        () ->
            new TaskListing(dispatcher, request, dispatcher.callTimeoutMs())
                .forEach(task -> seen.add(task.id().text())));
  }

  private void assertSeen(Future<?> listing, String... ids) throws Exception {
    assertThat(listing.get(10, TimeUnit.SECONDS)).isNull();
    assertThat(seen).containsExactly(ids);
    assertThat(dispatcher.hasOpen()).isFalse();
  }

  @Test
  void shouldRestartBeforeAnythingWasDelivered() throws Exception {
    Future<?> all = list(ALL);
    FakeListing first = transport.nextListing();
    first.fail(Status.Code.UNAVAILABLE, "gone");
    transport.nextListing().fail(Status.Code.UNAVAILABLE, "nobody is there yet");
    transport.nextListing().fail(Status.Code.UNKNOWN, "it has come to an end");
    FakeListing last = transport.nextListing();
    last.show("a", "b").end();
    assertSeen(all, "a", "b");
    assertThat(last.request()).isEqualTo(first.request()).isEqualTo(ALL);
    assertThat(first.isClosed()).isTrue();
    assertThat(last.isClosed()).isTrue();
  }

  @Test
  void shouldContinueElsewhereWithUndeliveredTasks() throws Exception {
    Future<?> all = list(ALL);
    transport.nextListing().show("a", "b").fail(Status.Code.UNAVAILABLE, "gone");
    transport.nextListing().show("c", "b").fail(Status.Code.INTERNAL, "RST_STREAM");
    transport.nextListing().show("d", "c", "a").end();
    assertSeen(all, "a", "b", "c", "d");
  }

  @Test
  void shouldMoveToAnotherServer() throws Exception {
    Future<?> all = list(ALL);
    transport.nextListing().show("a");
    dispatcher.failOver();
    transport.nextListing().show("a", "b").end();
    assertSeen(all, "a", "b");
  }

  @Test
  void shouldApplyTheLimitOverall() throws Exception {
    TasksRequest three = ALL.toBuilder().setLimit(3).build();
    Future<?> some = list(three);
    transport.nextListing().show("a", "b").fail(Status.Code.UNAVAILABLE, "gone");
    transport.nextListing().show("c", "d", "e").fail(Status.Code.UNAVAILABLE, "gone too");
    assertSeen(some, "a", "b", "c");
  }

  @Test
  void shouldKeepTheOrderOfIds() throws Exception {
    Future<?> some = list(TasksRequest.newBuilder().addAllTaskId(List.of("a", "b", "c")).build());
    transport.nextListing().show("b").fail(Status.Code.UNAVAILABLE, "gone");
    FakeListing rest = transport.nextListing();
    assertThat(rest.request().getTaskIdList()).containsExactly("c");
    // A request without ids would list all tasks.
    rest.show("c").fail(Status.Code.UNAVAILABLE, "gone too");
    assertSeen(some, "b", "c");
  }

  @Test
  void shouldAdviseWhatToDoIfItCannotContinue() throws Exception {
    Future<?> all = list(ALL);
    int count = TaskListing.KNOWN_MAX + 1;
    transport
        .nextListing()
        .show(IntStream.range(0, count).mapToObj(Integer::toString).toArray(String[]::new))
        .fail(Status.Code.UNAVAILABLE, "gone");
    assertThatThrownBy(() -> all.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(EntroQException.Unavailable.class)
        .hasMessageContaining("gone")
        .hasMessageContaining("10,001 tasks were delivered")
        .hasMessageContaining("start the listing again");
    assertThat(seen).hasSize(count);
  }

  @Test
  void shouldNotRetryRefusedListings() throws Exception {
    Future<?> all = list(ALL);
    transport.nextListing().fail(Status.Code.PERMISSION_DENIED, "no");
    assertThatThrownBy(() -> all.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(EntroQException.PermissionDenied.class);
  }

  @Test
  void shouldNotRetryAListingForever() throws Exception {
    dispatcher.close();
    dispatcher = dispatcher(Duration.ofMillis(200));
    Future<?> all = list(ALL);
    transport.nextListing().fail(Status.Code.UNAVAILABLE, "gone");
    FakeListing silent = transport.nextListing();
    assertThatThrownBy(() -> all.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(EntroQException.Unavailable.class);
    assertThat(silent.isClosed()).isTrue();
  }

  @Test
  void shouldEndWithTheClient() throws Exception {
    Future<?> all = list(ALL);
    FakeListing listing = transport.nextListing();
    dispatcher.close();
    assertThatThrownBy(() -> all.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(EntroQException.Closed.class);
    assertThat(listing.isClosed()).isTrue();
  }
}
