/**
 * Members as processes. {@link io.entroq.system.member.MemberProcess} starts {@link
 * io.entroq.system.member.MemberMain}, controls its network and clock over its input, and stops or
 * kills it. A member exits when its input closes, so nothing outlives the tests. {@link
 * io.entroq.system.member.Cluster} is for one thread.
 */
package io.entroq.system.member;
