package io.entroq.service.http;

import io.entroq.service.call.Protocol;
import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.http.protocol.ApiResponse;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request for a page. */
final class PageExchange extends Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(PageExchange.class);

  private final PageSource source;
  private final ApiRequest request;

  PageExchange(HttpConnection connection, PageSource source, ApiRequest request) {
    super(connection);
    this.source = source;
    this.request = request;
  }

  @Override
  void begin() {
    source
        .page(connection().context(request, OptionalLong.empty(), Protocol.UNDECLARED))
        .whenComplete((page, failure) -> connection().execute(() -> respond(page, failure)));
  }

  private void respond(ApiResponse page, Throwable failure) {
    ApiResponse response = page;
    if (failure != null) {
      LOG.error("A page failed because of an internal error.", failure);
      response = ApiResponse.text(500, "internal error; see the server's log");
    }
    connection()
        .respond(
            this,
            connection().hasRoomFor(response)
                ? response
                : ApiResponse.text(429, HttpConnection.NO_ROOM.message()));
  }
}
