package io.entroq.engine.policy;

import io.entroq.codec.command.InsertDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.message.CopyIds;
import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The inserts of a Modify that go into topics, and the copies that they make: one in the queue of
 * each group. A queue is a topic if the policy of its exact name has groups, as the Modify leaves
 * it; so a Modify can make a topic and insert into it. Changes nothing.
 *
 * <p>To look at the copies of an insert: {@link #select} it, then each {@link #copy}.
 */
public final class Topics {

  private static final byte SEPARATOR = '/';

  private final PolicyStore policies;
  private final QueueStore queues;

  /**
   * By insert, if there are topics: the slot of the policy; {@link #ofPut} of the position of its
   * put; or {@link Slab#NONE}.
   */
  private final IntArrayList found = new IntArrayList();

  private final PolicyDecoder stored = new PolicyDecoder();
  private final Bytes encoded = new Bytes();
  private final LongArrayList storedHashes = new LongArrayList();
  private final LongArrayList putHashes = new LongArrayList();
  private int decoded = Slab.NONE;
  private long decodedEpoch;
  private final Bytes queue = new Bytes();
  private final UnsafeBuffer name = new UnsafeBuffer(new byte[FieldLimits.TEXT_BYTES_MAX]);
  private ModifyDecoder modify;
  private int inserts;
  private long copies;
  private int firstInsert;
  private int selected;

  // The insert that is looked at, and its copy.
  private PolicyDecoder rules;
  private DirectBuffer groups;
  private LongArrayList hashes = storedHashes;
  private long insertIdHigh;
  private long insertIdLow;
  private int topicLength;
  private long idHigh;
  private long idLow;

  public Topics(PolicyStore policies, QueueStore queues) {
    this.policies = policies;
    this.queues = queues;
  }

  /** Finds the inserts that go into topics. Valid until the Modify has written its policies. */
  public void find(ModifyDecoder command) {
    if (modify != command) {
      // Storing a reference costs a garbage collector barrier.
      modify = command;
    }
    inserts = 0;
    copies = 0;
    selected = Slab.NONE;
    if (!policies.hasTopics() && !putsTopic()) {
      return;
    }
    found.clear();
    for (int i = 0; i < modify.insertCount(); i++) {
      int topic = topicOf(modify.insert(i));
      found.addInt(topic);
      if (topic != Slab.NONE) {
        firstInsert = inserts == 0 ? i : firstInsert;
        inserts++;
        copies += rules.groupCount();
      }
    }
  }

  private boolean putsTopic() {
    for (int i = 0; i < modify.policyPutCount(); i++) {
      if (modify.policyPut(i).groupCount() > 0) {
        return true;
      }
    }
    return false;
  }

  private int topicOf(InsertDecoder insert) {
    DirectBuffer buffer = modify.buffer();
    int offset = insert.queueOffset();
    int length = insert.queueLength();
    boolean isWritten = PolicyCheck.isIn(modify);
    if (isWritten) {
      queue.set(buffer, offset, length);
      int put = PolicyCheck.indexOfPut(modify, PolicyKinds.QUEUE, queue);
      if (put != Slab.NONE) {
        rules = modify.policyPut(put);
        return rules.groupCount() > 0 ? ofPut(put) : Slab.NONE;
      }
    }
    int known = queues.find(buffer, offset, length);
    if (known != Slab.NONE && queues.isPlain(known)) {
      return Slab.NONE;
    }
    int policy = policies.find(PolicyKinds.QUEUE, buffer, offset, length);
    if (policy == Slab.NONE || (isWritten && PolicyCheck.isDeleted(modify, policies, policy))) {
      return Slab.NONE;
    }
    rules = decode(policy);
    return rules.groupCount() > 0 ? policy : Slab.NONE;
  }

  private static int ofPut(int index) {
    return -2 - index;
  }

  /** Reads the rules of a policy, unless they are those that were read last. */
  private PolicyDecoder decode(int policy) {
    if (policy != decoded || policies.epoch() != decodedEpoch) {
      policies.encoded(policy, encoded);
      stored.wrap(encoded.buffer(), encoded.offset(), encoded.length());
      hash(stored, encoded.buffer(), storedHashes);
      decoded = policy;
      decodedEpoch = policies.epoch();
    }
    return stored;
  }

  private static void hash(PolicyDecoder policy, DirectBuffer buffer, LongArrayList into) {
    into.clear();
    for (int i = 0; i < policy.groupCount(); i++) {
      into.addLong(CopyIds.hash(buffer, policy.groupOffset(i), policy.groupLength(i)));
    }
  }

  /** How many inserts go into topics; 0 for most Modifies. */
  public int inserts() {
    return inserts;
  }

  /** How many copies those make together. */
  public long copies() {
    return copies;
  }

  /** The position of the first insert that goes into a topic, if there is one. */
  public int firstInsert() {
    return firstInsert;
  }

  /** Whether an insert goes into a topic. */
  public boolean has(int insert) {
    return inserts > 0 && found.getInt(insert) != Slab.NONE;
  }

  /** Looks at an insert that goes into a topic, and returns how many copies it makes. */
  public int select(int insert) {
    InsertDecoder item = modify.insert(insert);
    insertIdHigh = item.idHigh();
    insertIdLow = item.idLow();
    int topic = found.getInt(insert);
    if (topic != selected) {
      read(topic);
      topicLength = item.queueLength();
      name.putBytes(0, modify.buffer(), item.queueOffset(), topicLength);
      name.putByte(topicLength, SEPARATOR);
      selected = topic;
    }
    return rules.groupCount();
  }

  private void read(int topic) {
    if (topic >= 0) {
      rules = decode(topic);
      groups = encoded.buffer();
      hashes = storedHashes;
    } else {
      rules = modify.policyPut(ofPut(topic));
      groups = modify.buffer();
      hashes = putHashes;
      hash(rules, groups, hashes);
    }
  }

  /**
   * Looks at the id of the copy for a group of the insert, counted from 0 in the order of the
   * policy.
   */
  public void copyId(int group) {
    long hash = hashes.getLong(group);
    idHigh = CopyIds.high(insertIdHigh, hash);
    idLow = CopyIds.low(insertIdHigh, insertIdLow, hash);
  }

  /** Looks at the copy for a group, likewise: its id and its queue. */
  public void copy(int group) {
    copyId(group);
    int offset = rules.groupOffset(group);
    int length = rules.groupLength(group);
    name.putBytes(topicLength + 1, groups, offset, length);
    queue.set(name, 0, topicLength + 1 + length);
  }

  /** The length of the name of the queue for a group. */
  public int queueLength(int group) {
    return topicLength + 1 + rules.groupLength(group);
  }

  /** The upper half of the id of the copy. */
  public long idHigh() {
    return idHigh;
  }

  /** The lower half of the id of the copy. */
  public long idLow() {
    return idLow;
  }

  /** The name of the queue of the copy; valid until the next one. */
  public Bytes queue() {
    return queue;
  }
}
