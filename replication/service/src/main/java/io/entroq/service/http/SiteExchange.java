package io.entroq.service.http;

import io.entroq.service.http.protocol.ApiRequest;
import io.entroq.service.http.protocol.ApiResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request for a page of a site. */
final class SiteExchange extends Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(SiteExchange.class);

  private final Site site;
  private final ApiRequest request;

  SiteExchange(HttpConnection connection, Site site, ApiRequest request) {
    super(connection);
    this.site = site;
    this.request = request;
  }

  @Override
  void begin() {
    site.serve(
            new SiteRequest(
                request.verb(),
                request.path(),
                request.query(),
                request.mediaType(),
                request.body(),
                request.headers(),
                connection().origin(),
                connection().local(),
                connection().remote(),
                connection().isTls(),
                connection().peer()))
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
