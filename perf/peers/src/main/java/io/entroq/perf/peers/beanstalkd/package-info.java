/** beanstalkd as a peer: a server of our own, and its protocol, which is a few lines of text. */
package io.entroq.perf.peers.beanstalkd;
