package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/** Reads an Acknowledge. Everything that it returns is valid until the next wrap. */
public final class AcknowledgeDecoder {
  private static final int CLIENTS_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DELIVERED_TAG = 2 << 3 | WireReader.LENGTH_DELIMITED;

  private final WireReader reader = new WireReader();
  private final ItemList<IdentityDecoder> clients = new ItemList<>(IdentityDecoder::new);
  private final ItemList<IdentityDecoder> delivered = new ItemList<>(IdentityDecoder::new);

  /** A decoder of nothing until it is wrapped. */
  public AcknowledgeDecoder() {}

  /**
   * Reads and checks a whole Acknowledge.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clients.clear();
    delivered.clear();
    while (reader.hasNext()) {
      int tag = reader.tag("Acknowledge");
      switch (tag) {
        case CLIENTS_TAG -> readClient();
        case DELIVERED_TAG -> readDelivered();
        default -> reader.skip(tag, 2, "Acknowledge");
      }
    }
  }

  private void readClient() {
    IdentityDecoder client = clients.add();
    client.clear();
    client.read(reader, "Acknowledge.clients");
    client.checkClient(reader);
    client.checkAckedBelow(reader);
  }

  private void readDelivered() {
    IdentityDecoder request = delivered.add();
    request.clear();
    request.read(reader, "Acknowledge.delivered");
    request.checkClient(reader);
    request.checkNumber(reader);
  }

  /** How many clients are named of whom replies have arrived. */
  public int clientCount() {
    return clients.count();
  }

  /** Upper half of the client at an index from 0. */
  public long clientHigh(int index) {
    return clients.get(index).clientHigh();
  }

  /** Lower half of the client at an index from 0. */
  public long clientLow(int index) {
    return clients.get(index).clientLow();
  }

  /** Every reply to a lower number of that client has arrived. From 1. */
  public long ackedBelow(int index) {
    return clients.get(index).ackedBelow();
  }

  /** How many requests are named whose replies have left. */
  public int deliveredCount() {
    return delivered.count();
  }

  /** Upper half of the client of such a request, at an index from 0. */
  public long deliveredHigh(int index) {
    return delivered.get(index).clientHigh();
  }

  /** Lower half of the client of such a request, at an index from 0. */
  public long deliveredLow(int index) {
    return delivered.get(index).clientLow();
  }

  /** Number of such a request, at an index from 0. From 1. */
  public long deliveredNumber(int index) {
    return delivered.get(index).number();
  }
}
