package io.entroq.client;

import io.entroq.api.EntroQ;

/** What {@link EntroQ#connect} finds. */
public final class ClientConnector implements EntroQ.Connector {
  /** For the loader of services. */
  public ClientConnector() {}

  @Override
  public EntroQ connect(String address) {
    return EntroQClient.connect(address);
  }
}
