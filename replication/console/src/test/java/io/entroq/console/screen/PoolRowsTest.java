package io.entroq.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.SearchQueuesResponse;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pools on the page of queues. */
class PoolRowsTest {
  private final ServedScreens screens = new ServedScreens();

  @AfterEach
  void close() {
    screens.close();
  }

  private static QueueFigures.Builder queue(String name) {
    return QueueFigures.newBuilder().setName(name).setReady(11);
  }

  /** Two pools, of which one has a pool among its members. */
  private void script() {
    screens.insight.answerBy(
        Method.SEARCH_QUEUES,
        request ->
            switch (request.getPool()) {
              case "inbox" ->
                  response(
                      200,
                      queue("inbox").setPool(true).setReady(5),
                      queue("inbox/ann").setReady(7),
                      queue("inbox/bob").setPool(true).setMembers(1).setReady(6));
              case "inbox/bob" -> response(1, queue("inbox/bob/x").setReady(4));
              default ->
                  response(
                      3,
                      queue("inbox").setPool(true).setMembers(199).setReady(1_234),
                      queue("jobs").setPool(true).setMembers(1),
                      queue("plain"));
            });
  }

  private static SearchQueuesResponse response(long matched, QueueFigures.Builder... queues) {
    SearchQueuesResponse.Builder response =
        SearchQueuesResponse.newBuilder().setMatched(matched).setComplete(true);
    List.of(queues).forEach(response::addQueues);
    return response.build();
  }

  @Test
  void shouldShowAPoolAsARowThatFoldsOpen() {
    script();
    assertThat(screens.page("/queues", "sort", "ready"))
        .contains("<small>pool</small>", "1,234", "Show 199 queues", "Show 1 queue<")
        .contains("href=\"/console/queues?sort=ready&amp;open=inbox\"")
        .doesNotContain("inbox/ann");
    String open = screens.page("/queues", "sort", "ready", "open", "inbox");
    assertThat(open)
        .contains("Hide 199 queues", "href=\"/console/queues?sort=ready\"")
        .contains("<small>pool, its own tasks</small>", "inbox/ann", "inbox/bob")
        .contains("All 200 of inbox", "href=\"/console/queues?pool=inbox&amp;sort=ready\"")
        .contains("href=\"/console/queues?sort=ready&amp;open=inbox&amp;open=inbox%2Fbob\"")
        .doesNotContain("inbox/bob/x");
    assertThat(screens.insight.asked(Method.SEARCH_QUEUES))
        .isEqualTo(
            SearchQueuesRequest.newBuilder()
                .setPool("inbox")
                .setSort("ready")
                .setFold(true)
                .setLimit(20)
                .build());
    assertThat(screens.page("/queues", "open", "inbox", "open", "inbox/bob"))
        .contains("inbox/bob/x", "hx-get=\"/console/queues?open=inbox&amp;open=inbox%2Fbob\"");
  }

  @Test
  void shouldDrawNoChartOfAFoldedPool() {
    script();
    screens.page("/queues", "open", "inbox");
    assertThat(screens.insight.asked(Method.RATES).getQueueList())
        .containsExactly("inbox", "inbox/ann", "plain");
  }

  @Test
  void shouldShowAllMembersAPageAtATime() {
    script();
    assertThat(screens.page("/queues", "pool", "inbox", "q", "inbox/a", "page", "1"))
        .contains("Queues of pool inbox", "name=\"pool\" value=\"inbox\"", "51 to 53 of 200")
        .contains(
            "/console/queues?q=inbox%2Fa&amp;pool=inbox&amp;page=2", "The pool and its rules");
    assertThat(screens.insight.asked(Method.SEARCH_QUEUES))
        .isEqualTo(
            SearchQueuesRequest.newBuilder()
                .setPrefix("inbox/a")
                .setPool("inbox")
                .setFold(true)
                .setOffset(50)
                .setLimit(50)
                .build());
  }

  @Test
  void shouldBoundThePoolsThatAreOpen() {
    List<String> parameters = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      parameters.addAll(List.of("open", "p" + i));
    }
    script();
    assertThat(screens.page("/queues", parameters.subList(0, 20).toArray(String[]::new)))
        // Another that opens closes the first.
        .contains("open=p9&amp;open=inbox")
        .doesNotContain(
            "open=p0&amp;open=p1&amp;open=p2&amp;open=p3&amp;open=p4&amp;open=p5"
                + "&amp;open=p6&amp;open=p7&amp;open=p8&amp;open=p9&amp;open=inbox");
    StringBuilder url = new StringBuilder("/console/queues?x=");
    for (int i = 0; i < 11; i++) {
      url.append("&open=p").append(i);
    }
    assertThat(screens.get(url.toString()).statusCode()).isEqualTo(400);
  }

  @Test
  void shouldHaveNoColumnForPoolsWhereThereAreNone() {
    screens.insight.answer(Method.SEARCH_QUEUES, response(1, queue("plain")));
    assertThat(screens.page("/queues")).doesNotContain(">Pool<", "Show ");
  }
}
