// How the bot dials in to an arena that cannot reach it: the other way round, by arena.v1.Door.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"os"
	"slices"
	"sync"
	"time"

	pb "bot/arenav1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	mostConversations = 100
	firstPause        = 100 * time.Millisecond // before a broken stream is dialled again: longer each time
	longestPause      = 5 * time.Second
	steady            = 5 * time.Second // a stream that has held for so long is dialled again as quickly as at first
)

// refusals are what it is no use to try again after.
var refusals = []codes.Code{
	codes.Unauthenticated, codes.PermissionDenied, codes.FailedPrecondition, codes.InvalidArgument, codes.Unimplemented,
}

// breaks are how a stream ends that nobody wanted to end.
var breaks = []codes.Code{codes.Unavailable, codes.Canceled, codes.Internal, codes.Unknown}

// later are how a stream ends that came back too early: too many did at once, or its introduction was too slow.
var later = []codes.Code{codes.ResourceExhausted, codes.DeadlineExceeded}

// joiner keeps one conversation waiting beside those in which something is asked.
type joiner struct {
	door    pb.DoorClient
	context context.Context
	name    string
	lock    sync.Mutex
	open    int // conversations
	waiting int // those of them on which nothing was asked yet
	away    bool
}

// join dials in to the arena at an address, for good.
func join(address string) {
	transport := insecure.NewCredentials()
	if file := os.Getenv("ARENA_CA"); file != "" {
		pem, err := os.ReadFile(file)
		if err != nil {
			refuse(err.Error())
		}
		trusted := x509.NewCertPool()
		if !trusted.AppendCertsFromPEM(pem) {
			refuse("ARENA_CA: no certificate in " + file)
		}
		transport = credentials.NewTLS(&tls.Config{RootCAs: trusted})
	} else if os.Getenv("ARENA_TLS") == "1" {
		transport = credentials.NewTLS(nil)
	}
	// Without these signs of life it would take long to notice that the network is gone.
	alive := keepalive.ClientParameters{Time: 15 * time.Second, Timeout: 5 * time.Second}
	connection, err := grpc.NewClient(
		address, grpc.WithTransportCredentials(transport), grpc.WithKeepaliveParams(alive), grpc.WithNoProxy(),
	)
	if err != nil {
		refuse(err.Error())
	}
	said := []string{"arena-protocol", "1"}
	if token := os.Getenv("ARENA_TOKEN"); token != "" {
		said = append(said, "authorization", "Bearer "+token)
	}
	j := &joiner{
		door:    pb.NewDoorClient(connection),
		context: metadata.AppendToOutgoingContext(context.Background(), said...),
		name:    os.Getenv("ARENA_NAME"),
	}
	if j.name == "" {
		j.name = introduction.Name
	}
	j.another()
	select {}
}

// another opens a conversation, unless one waits.
func (j *joiner) another() {
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.waiting == 0 && j.open < mostConversations {
		j.open++
		j.waiting++
		go j.converse()
	}
}

// conversation is one, over as many streams as it takes.
type conversation struct {
	id      string
	grace   time.Duration
	playing bool                    // whether something was asked
	latest  map[uint64]*pb.Decision // what was answered last, by turn
}

// converse holds a conversation from its beginning to its end.
func (j *joiner) converse() {
	c := &conversation{}
	pause, broken := firstPause, time.Time{}
	for {
		begun := time.Now()
		welcomed, err := j.stream(c)
		code := status.Code(err)
		switch {
		case slices.Contains(refusals, code) && !c.playing:
			refuse(status.Convert(err).Message())
		case c.playing && err == nil:
			j.closed(c)
			return
		case c.playing && !slices.Contains(breaks, code) && (welcomed || !slices.Contains(later, code)):
			log.Printf("the arena has ended a conversation: %s", status.Convert(err).Message())
			j.closed(c)
			return
		case code == codes.NotFound && c.id != "": // nobody had begun it yet
			c.id = ""
			continue
		case err != nil:
			j.tellAway(err)
		}
		if welcomed || broken.IsZero() {
			broken = time.Now()
		}
		if c.playing && time.Since(broken) > c.grace {
			log.Printf("a conversation is lost: it was broken for more than %v", c.grace)
			j.closed(c)
			return
		}
		if time.Since(begun) > steady {
			pause = firstPause
		}
		time.Sleep(pause)
		pause = min(2*pause, longestPause)
	}
}

// stream serves one stream to its end. It tells whether the arena has welcomed the bot, and what went wrong.
func (j *joiner) stream(c *conversation) (welcomed bool, err error) {
	stream, err := j.door.Join(j.context)
	if err != nil {
		return false, err
	}
	send := func(message *pb.JoinRequest) {
		_ = stream.Send(message) // an error is told by Recv
	}
	send(&pb.JoinRequest{Said: &pb.JoinRequest_Introduction{
		Introduction: &pb.Introduction{Hello: introduction, Bot: j.name, Conversation: c.id},
	}})
	for {
		message, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return welcomed, nil
		}
		if err != nil {
			return welcomed, err
		}
		switch said := message.Said.(type) {
		case *pb.JoinResponse_Welcome:
			welcomed = true
			c.id, c.grace = said.Welcome.Conversation, time.Duration(said.Welcome.GraceMs)*time.Millisecond
			j.tellBack()
		case *pb.JoinResponse_Probe:
			send(&pb.JoinRequest{Said: &pb.JoinRequest_Echo{Echo: &pb.Echo{Id: said.Probe.Id}}})
		case *pb.JoinResponse_Play:
			if !c.playing {
				c.playing = true
				j.lock.Lock()
				j.waiting--
				j.lock.Unlock()
				j.another()
			}
			if len(said.Play.Turns) > 0 {
				send(&pb.JoinRequest{Said: &pb.JoinRequest_Play{Play: c.answer(said.Play)}})
			}
		}
	}
}

// answer decides; what is asked again after a break has the answer that it had.
func (c *conversation) answer(request *pb.PlayRequest) *pb.PlayResponse {
	response := &pb.PlayResponse{}
	for _, turn := range request.Turns {
		if known := c.latest[turn.Id]; known != nil {
			response.Decisions = append(response.Decisions, known)
		}
	}
	if len(response.Decisions) == len(request.Turns) {
		return response
	}
	response = answer(request)
	c.latest = make(map[uint64]*pb.Decision, len(response.Decisions))
	for _, decision := range response.Decisions {
		c.latest[decision.TurnId] = decision
	}
	return response
}

// closed makes room for another.
func (j *joiner) closed(c *conversation) {
	j.lock.Lock()
	j.open--
	if !c.playing {
		j.waiting--
	}
	j.lock.Unlock()
	j.another()
}

// tellAway says once that the arena is not there.
func (j *joiner) tellAway(err error) {
	j.lock.Lock()
	defer j.lock.Unlock()
	if !j.away {
		log.Printf("%s; trying again", status.Convert(err).Message())
	}
	j.away = true
}

// tellBack says that it is back.
func (j *joiner) tellBack() {
	j.lock.Lock()
	defer j.lock.Unlock()
	if j.away {
		log.Print("the arena is there again")
	}
	j.away = false
}

// refuse ends the bot with a line.
func refuse(why string) {
	log.Print(why)
	os.Exit(2)
}
