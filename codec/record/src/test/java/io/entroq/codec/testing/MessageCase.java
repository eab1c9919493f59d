package io.entroq.codec.testing;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.Attributes;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Cut;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.ListPolicies;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyState;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.TaskPosition;
import io.entroq.codec.wire.log.Tick;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** One kind of message: the codec and the generated class side by side. */
public final class MessageCase<M extends Message> {
  /** Reads with the decoder of the codec and rebuilds the message from what that says. */
  interface Reader<M> {
    M read(DirectBuffer buffer, int offset, int length);
  }

  /** Writes with the encoder of the codec; bytes written come back. */
  interface Writer<M> {
    int write(M message, MutableDirectBuffer buffer, int offset);
  }

  private final M prototype;
  private final Function<Random, M> generator;
  private final Reader<M> reader;
  private final Writer<M> writer;

  private MessageCase(
      M prototype, Function<Random, M> generator, Reader<M> reader, Writer<M> writer) {
    this.prototype = prototype;
    this.generator = generator;
    this.reader = reader;
    this.writer = writer;
  }

  /** Every kind of message that the log or a caller may bring, with codecs of their own. */
  public static List<MessageCase<?>> all() {
    CommandBridge commands = new CommandBridge();
    ResultBridge results = new ResultBridge();
    return List.of(
        of(
            Claim.getDefaultInstance(),
            RandomMessages::claim,
            commands::readClaim,
            commands::writeClaim),
        of(
            Modify.getDefaultInstance(),
            RandomMessages::modify,
            commands::readModify,
            commands::writeModify),
        of(
            Cancel.getDefaultInstance(),
            RandomMessages::cancel,
            commands::readCancel,
            commands::writeCancel),
        of(
            Tick.getDefaultInstance(),
            random -> Tick.getDefaultInstance(),
            commands::readTick,
            MessageCase::writeTick),
        of(
            CallersGone.getDefaultInstance(),
            RandomMessages::callersGone,
            commands::readCallersGone,
            commands::writeCallersGone),
        of(
            Acknowledge.getDefaultInstance(),
            RandomMessages::acknowledge,
            commands::readAcknowledge,
            commands::writeAcknowledge),
        of(
            Genesis.getDefaultInstance(),
            RandomMessages::genesis,
            commands::readGenesis,
            commands::writeGenesis),
        of(
            RaiseLevel.getDefaultInstance(),
            RandomMessages::raiseLevel,
            commands::readRaiseLevel,
            commands::writeRaiseLevel),
        of(Cut.getDefaultInstance(), RandomMessages::cut, commands::readCut, commands::writeCut),
        of(
            Result.getDefaultInstance(),
            RandomMessages::result,
            results::readResult,
            results::writeResult),
        of(
            ListTasks.getDefaultInstance(),
            RandomMessages::listTasks,
            results::readListTasks,
            results::writeListTasks),
        of(
            ListQueues.getDefaultInstance(),
            RandomMessages::listQueues,
            results::readListQueues,
            results::writeListQueues),
        of(
            ClaimDocs.getDefaultInstance(),
            RandomMessages::claimDocs,
            commands::readClaimDocs,
            commands::writeClaimDocs),
        of(
            ListDocs.getDefaultInstance(),
            RandomMessages::listDocs,
            results::readListDocs,
            results::writeListDocs),
        of(
            ListNamespaces.getDefaultInstance(),
            RandomMessages::listNamespaces,
            results::readListNamespaces,
            results::writeListNamespaces),
        of(
            Policy.getDefaultInstance(),
            RandomMessages::policy,
            commands::readPolicy,
            CommandBridge::writePolicy),
        of(
            PolicyState.getDefaultInstance(),
            RandomMessages::policyState,
            results::readPolicyState,
            results::writePolicyState),
        of(
            Attributes.getDefaultInstance(),
            RandomMessages::attributes,
            commands::readAttributes,
            commands::writeAttributes),
        of(
            ListPolicies.getDefaultInstance(),
            RandomMessages::listPolicies,
            results::readListPolicies,
            results::writeListPolicies),
        of(
            TaskPosition.getDefaultInstance(),
            RandomMessages::taskPosition,
            results::readTaskPosition,
            results::writeTaskPosition));
  }

  /** A Tick has no encoder, as it has no bytes. */
  private static int writeTick(Tick tick, MutableDirectBuffer buffer, int offset) {
    buffer.checkLimit(offset);
    return 0;
  }

  private static <M extends Message> MessageCase<M> of(
      M prototype, Function<Random, M> generator, Reader<M> reader, Writer<M> writer) {
    return new MessageCase<>(prototype, generator, reader, writer);
  }

  /** The kind of message with a name of the schema. */
  public static MessageCase<?> named(String name) {
    return all().stream().filter(one -> one.toString().equals(name)).findFirst().orElseThrow();
  }

  /** An empty message. */
  public Message.Builder newBuilder() {
    return prototype.newBuilderForType();
  }

  /** A valid message. */
  public M random(Random random) {
    return generator.apply(random);
  }

  /** The message, serialized as no encoder of ours would. */
  public byte[] scramble(Message message, Random random) {
    return new Scrambler(random).scramble(message);
  }

  /** What the codec reads. */
  public M read(DirectBuffer buffer, int offset, int length) {
    return reader.read(buffer, offset, length);
  }

  /** Writes with the codec; the message is one of this kind. */
  public int write(Message message, MutableDirectBuffer buffer, int offset) {
    @SuppressWarnings("unchecked") // all messages of one case have one class
    M own = (M) message;
    return writer.write(own, buffer, offset);
  }

  /** What the generated class and the ranges of the schema make of bytes; empty: refused. */
  public Optional<Message> readByProtobuf(byte[] bytes) {
    Parser<? extends Message> parser = prototype.getParserForType();
    try {
      Message message = parser.parseFrom(bytes);
      return Ranges.isValid(message) ? Optional.of(normal(message)) : Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  /** The message without what the codec does not tell apart. */
  public Message normal(Message message) {
    return Normal.form(message);
  }

  @Override
  public String toString() {
    return prototype.getDescriptorForType().getName();
  }
}
