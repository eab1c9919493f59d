package io.entroq.api;

/**
 * Connects to servers: what {@link EntroQ#connect} looks for among the services on the class path.
 * The artifact {@code entroq-client} brings one.
 */
public interface EntroQConnector {
  /**
   * Connects to a server, with defaults for everything else.
   *
   * @param address host and port, or several with commas in between
   * @throws EntroQException.InvalidArgument if it is no address
   * @throws EntroQException.Unavailable if nobody answers there
   */
  EntroQ connect(String address);
}
