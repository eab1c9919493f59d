package io.entroq.console.login;

import io.entroq.console.user.Session;
import io.entroq.console.web.Login;
import io.entroq.console.web.Router;
import io.entroq.service.http.SiteRequest;
import java.util.Optional;

/** Nobody logs in: whoever is on this machine may do everything. */
public final class LocalLogin implements Login {
  @Override
  public boolean isRequired() {
    return false;
  }

  @Override
  public Optional<Session> session(SiteRequest request) {
    return Optional.of(Session.LOCAL);
  }

  @Override
  public void addTo(Router router) {}

  @Override
  public void close() {}
}
