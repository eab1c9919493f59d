package io.entroq.client;

import io.entroq.api.EntroQ;

/** The service provider that {@link EntroQ#connect} finds. */
public final class ClientConnector implements EntroQ.Connector {
  /** For the service loader. */
  public ClientConnector() {}

  @Override
  public EntroQ connect(String address) {
    return EntroQClient.connect(address);
  }
}
