package io.entroq.client;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQConnector;

/** What {@link EntroQ#connect} finds. */
public final class ClientConnector implements EntroQConnector {
  /** For the loader of services. */
  public ClientConnector() {}

  @Override
  public EntroQ connect(String address) {
    return EntroQClient.connect(address);
  }
}
