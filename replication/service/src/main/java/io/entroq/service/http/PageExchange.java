package io.entroq.service.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request for a page. */
final class PageExchange extends Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(PageExchange.class);

  private static final String NO_ROOM =
      "requests and answers take as much memory as they may; try again";

  private final PageSource source;
  private final Request request;

  PageExchange(Connection connection, PageSource source, Request request) {
    super(connection);
    this.source = source;
    this.request = request;
  }

  @Override
  void begin() {
    source
        .page(connection().context(request, OptionalLong.empty()))
        .whenComplete(
            (page, failure) -> connection().execute(() -> answer(response(page, failure))));
  }

  private void answer(Response response) {
    connection()
        .answer(this, connection().hasRoomFor(response) ? response : Response.text(429, NO_ROOM));
  }

  private static Response response(Page page, Throwable failure) {
    if (failure != null) {
      LOG.error("A page met a fault of this server.", failure);
      return Response.text(500, "a fault of this server, which its log describes");
    }
    return new Response(
        page.status(),
        page.contentType(),
        page.content().getBytes(StandardCharsets.UTF_8),
        Map.of());
  }
}
