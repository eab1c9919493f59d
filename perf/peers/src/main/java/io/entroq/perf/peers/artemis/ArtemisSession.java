package io.entroq.perf.peers.artemis;

import io.entroq.load.LoadSession;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** One caller's connection, transacted for batches. */
final class ArtemisSession implements LoadSession {
  private static final int WAIT_MS = 200;

  private final List<ClientMessage> claimed = new ArrayList<>();
  private final ServerLocator locator;
  private final boolean isDurable;
  private final boolean isSynchronous;
  private final ClientSession session;
  private final ClientProducer producer;
  private final ClientConsumer consumer;

  ArtemisSession(ServerLocator locator, String queue, boolean isDurable, boolean isSynchronous)
      throws Exception {
    this.locator = locator;
    this.isDurable = isDurable;
    this.isSynchronous = isSynchronous;
    ClientSessionFactory factory = locator.createSessionFactory();
    session = factory.createSession(isSynchronous, isSynchronous);
    producer = session.createProducer(queue);
    consumer = session.createConsumer(queue);
    session.start();
  }

  @Override
  public void insert(List<byte[]> values) throws ActiveMQException {
    for (byte[] value : values) {
      ClientMessage message = session.createMessage(isDurable);
      message.getBodyBuffer().writeBytes(value);
      producer.send(message);
    }
    if (!isSynchronous) {
      session.commit();
    }
  }

  @Override
  public List<byte[]> claim(int limit) throws ActiveMQException {
    claimed.clear();
    List<byte[]> values = new ArrayList<>(limit);
    ClientMessage message = consumer.receive(WAIT_MS);
    while (message != null) {
      claimed.add(message);
      values.add(body(message));
      message = values.size() < limit ? consumer.receiveImmediate() : null;
    }
    return values;
  }

  private static byte[] body(ClientMessage message) {
    byte[] value = new byte[message.getBodyBuffer().readableBytes()];
    message.getBodyBuffer().readBytes(value);
    return value;
  }

  @Override
  public void commit() throws ActiveMQException {
    for (ClientMessage message : claimed) {
      message.acknowledge();
    }
    if (!isSynchronous) {
      session.commit();
    }
  }

  @Override
  public void close() {
    // With its sessions.
    locator.close();
  }
}
